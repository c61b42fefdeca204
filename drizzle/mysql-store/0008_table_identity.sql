ALTER TABLE {{mapping_fingerprint}}
	ADD COLUMN `table_id` varbinary(64),
	ADD COLUMN `table_created` varbinary(64);
