-- {{name}} is one of our own tables, in a database of their own or with a prefix. DDL of MySQL commits at once: each
-- statement must be repeatable after a migration that was cut short.
CREATE TABLE IF NOT EXISTS {{delivery}} (
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`aggregate_key` varbinary(4096),
	`order_key` json,
	`event_type` varbinary(4096),
	`created_at` datetime(6),
	`attempts` bigint NOT NULL DEFAULT 0,
	`next_attempt_at` datetime(6),
	`dead_at` datetime(6),
	`dead_by` longtext,
	`first_error_code` longtext,
	`first_error` longtext,
	`first_failed_at` datetime(6),
	`last_error_code` longtext,
	`last_error` longtext,
	`last_failed_at` datetime(6),
	`fingerprint` varbinary(255),
	`image` longtext,
	`changed_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`outbox`, `message_id`),
	KEY `delivery_due_idx` (`outbox`, `dead_at`, `next_attempt_at`),
	KEY `delivery_group_idx` (`outbox`, `fingerprint`),
	KEY `delivery_aggregate_idx` (`outbox`, `aggregate_key`(768))
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{claim}} (
	`token` varbinary(36) NOT NULL,
	`outbox` varbinary(255) NOT NULL,
	`owner` varbinary(512) NOT NULL,
	`epoch` bigint NOT NULL,
	`message_ids` json NOT NULL,
	`alone` tinyint(1) NOT NULL DEFAULT 0,
	`started_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`token`),
	KEY `claim_outbox_idx` (`outbox`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{suspect}} (
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`orphaned` bigint NOT NULL DEFAULT 1,
	`crashes` bigint NOT NULL DEFAULT 0,
	`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`outbox`, `message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{restored}} (
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`changed_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`outbox`, `message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{lease}} (
	`outbox` varbinary(255) NOT NULL,
	`partition` bigint NOT NULL DEFAULT 0,
	`owner` varbinary(512) NOT NULL,
	`epoch` bigint NOT NULL,
	`until` datetime(6) NOT NULL,
	PRIMARY KEY (`outbox`, `partition`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{attempt}} (
	`id` bigint NOT NULL AUTO_INCREMENT,
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`number` bigint NOT NULL,
	`started_at` datetime(6) NOT NULL,
	`duration_ms` double,
	`outcome` varbinary(64) NOT NULL,
	`code` longtext,
	`error` longtext,
	`relay` longtext,
	`sink` longtext,
	PRIMARY KEY (`id`),
	KEY `attempt_message_idx` (`outbox`, `message_id`),
	KEY `attempt_started_idx` (`started_at`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{dead_letter}} (
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`image` longtext,
	`aggregate_type` varbinary(4096),
	`aggregate_id` varbinary(4096),
	`event_type` varbinary(4096),
	`created_at` datetime(6),
	`published_at` datetime(6),
	`payload_bytes` bigint,
	`attempts` bigint NOT NULL DEFAULT 0,
	`first_error_code` longtext,
	`first_error` longtext,
	`first_failed_at` datetime(6),
	`last_error_code` longtext,
	`last_error` longtext,
	`last_failed_at` datetime(6),
	`fingerprint` varbinary(255),
	`dead_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`dead_by` longtext NOT NULL,
	`changed_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`outbox`, `message_id`),
	KEY `dead_letter_time_idx` (`outbox`, `dead_at`, `message_id`),
	KEY `dead_letter_group_idx` (`outbox`, `fingerprint`),
	KEY `dead_letter_aggregate_idx` (`outbox`, `aggregate_id`(768))
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{archive}} (
	`outbox` varbinary(255) NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`image` longtext,
	`aggregate_type` varbinary(4096),
	`aggregate_id` varbinary(4096),
	`event_type` varbinary(4096),
	`created_at` datetime(6),
	`published_at` datetime(6),
	`payload_bytes` bigint,
	`attempts` bigint NOT NULL DEFAULT 0,
	`first_error_code` longtext,
	`first_error` longtext,
	`first_failed_at` datetime(6),
	`last_error_code` longtext,
	`last_error` longtext,
	`last_failed_at` datetime(6),
	`fingerprint` varbinary(255),
	`state_before` varbinary(64) NOT NULL,
	`dead_at` datetime(6),
	`dead_by` longtext,
	`archived_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`archived_by` longtext NOT NULL,
	`reason` longtext NOT NULL,
	`changed_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`outbox`, `message_id`),
	KEY `archive_time_idx` (`outbox`, `archived_at`, `message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{operation}} (
	`id` varbinary(36) NOT NULL,
	`outbox` varbinary(255) NOT NULL,
	`action` varbinary(64) NOT NULL,
	`actor` varbinary(1024) NOT NULL,
	`role` varbinary(64) NOT NULL,
	`reason` longtext NOT NULL,
	`idempotency_key` varbinary(1024),
	`request_hash` varbinary(255) NOT NULL,
	`result` longtext,
	`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	PRIMARY KEY (`id`),
	UNIQUE KEY `operation_key_idx` (`actor`, `idempotency_key`),
	KEY `operation_time_idx` (`outbox`, `at`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{audit}} (
	`id` bigint NOT NULL AUTO_INCREMENT,
	`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`actor` varbinary(1024) NOT NULL,
	`role` varbinary(64) NOT NULL,
	`action` varbinary(64) NOT NULL,
	`outbox` varbinary(255),
	`inbox` varbinary(255),
	`message_id` varbinary(2800),
	`operation_id` varbinary(36),
	`outcome` varbinary(64) NOT NULL,
	`reason` longtext,
	`state_before` varbinary(64),
	`state_after` varbinary(64),
	`detail` longtext,
	PRIMARY KEY (`id`),
	KEY `audit_time_idx` (`at`),
	KEY `audit_message_idx` (`outbox`, `message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{relay_instance}} (
	`id` varbinary(512) NOT NULL,
	`outbox` varbinary(255) NOT NULL,
	`host` longtext NOT NULL,
	`pid` bigint NOT NULL,
	`version` longtext NOT NULL,
	`started_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`heartbeat_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`state` varbinary(64) NOT NULL,
	`source` longtext NOT NULL,
	`sink` longtext NOT NULL,
	`published` bigint NOT NULL DEFAULT 0,
	`failures` bigint NOT NULL DEFAULT 0,
	`published_per_second` double,
	`in_flight` bigint NOT NULL DEFAULT 0,
	`last_published_at` datetime(6),
	`last_error` longtext,
	`last_error_at` datetime(6),
	`breaker` longtext,
	`routes` longtext NOT NULL,
	`foreign_published` bigint NOT NULL DEFAULT 0,
	`foreign_unclaimed` bigint NOT NULL DEFAULT 0,
	`foreign_since` datetime(6),
	`foreign_last_at` datetime(6),
	`clock_offset_ms` double,
	`settling_since` datetime(6),
	`late_commits` bigint NOT NULL DEFAULT 0,
	`partitions` bigint NOT NULL DEFAULT 0,
	`stream` longtext,
	`latency` longtext NOT NULL,
	PRIMARY KEY (`outbox`, `id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{pause}} (
	`outbox` varbinary(255) NOT NULL,
	`scope` varbinary(16) NOT NULL DEFAULT 'outbox',
	`subject` varbinary(2800) NOT NULL DEFAULT '',
	`reason` longtext NOT NULL,
	`by` longtext NOT NULL,
	`message_id` varbinary(2800),
	`at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`until` datetime(6),
	PRIMARY KEY (`outbox`, `scope`, `subject`),
	KEY `pause_message_idx` (`outbox`, `message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{mapping_fingerprint}} (
	`outbox` varbinary(255) NOT NULL,
	`fingerprint` longtext NOT NULL,
	`accepted_at` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
	`accepted_by` longtext NOT NULL,
	PRIMARY KEY (`outbox`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS {{outbox_lock}} (
	`outbox` varbinary(255) NOT NULL,
	PRIMARY KEY (`outbox`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
