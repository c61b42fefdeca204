ALTER TABLE {{lease}}
	ADD COLUMN `length_ms` double;
