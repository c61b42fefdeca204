ALTER TABLE {{suspect}}
	ADD COLUMN `identity` varbinary(64);
