-- How far the binary log was read. `position` orders the places of all servers that the reader has had.
CREATE TABLE IF NOT EXISTS {{binlog_reader}} (
	`reader` varbinary(255) NOT NULL,
	`position` varbinary(64) NOT NULL,
	`server` varbinary(512) NOT NULL,
	`incarnation` bigint NOT NULL,
	`file` varbinary(512) NOT NULL,
	`offset` bigint NOT NULL,
	`gtids` longtext,
	`read_to` datetime(6) NOT NULL,
	`changed_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`reader`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
