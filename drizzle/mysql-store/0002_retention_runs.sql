-- One turn of retention. Each batch is counted here in the transaction that removes it.
CREATE TABLE IF NOT EXISTS {{retention_run}} (
	`id` varbinary(36) NOT NULL,
	`outbox` varbinary(255) NOT NULL,
	`subject` varbinary(512) NOT NULL,
	`rule` longtext NOT NULL,
	`started_at` datetime(6) NOT NULL,
	`ended_at` datetime(6),
	`removed_rows` bigint NOT NULL DEFAULT 0,
	`removed_bytes` bigint NOT NULL DEFAULT 0,
	`end` varbinary(64),
	`detail` longtext,
	PRIMARY KEY (`id`),
	KEY `retention_run_time_idx` (`outbox`, `started_at`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
