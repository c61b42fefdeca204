ALTER TABLE {{operation}}
	ADD COLUMN `state` varbinary(64),
	ADD COLUMN `plan` longtext,
	ADD COLUMN `progress` longtext,
	ADD COLUMN `runner` longtext,
	ADD COLUMN `runner_until` datetime(6),
	ADD COLUMN `heartbeat_at` datetime(6),
	ADD COLUMN `fence` bigint NOT NULL DEFAULT 0,
	ADD COLUMN `ended_at` datetime(6),
	ADD KEY `operation_open_idx` (`state`, `at`);
--> statement-breakpoint
-- One message of a bulk operation. `outcome` is null until it was acted on.
CREATE TABLE IF NOT EXISTS {{operation_item}} (
	`operation_id` varbinary(36) NOT NULL,
	`seq` bigint NOT NULL,
	`message_id` varbinary(2800) NOT NULL,
	`version` longtext NOT NULL,
	`event_type` longtext,
	`aggregate_id` longtext,
	`state_before` varbinary(64) NOT NULL,
	`outcome` varbinary(64),
	`code` longtext,
	`message` longtext,
	`acted_at` datetime(6),
	`settled_at` datetime(6),
	PRIMARY KEY (`operation_id`, `seq`),
	KEY `operation_item_outcome_idx` (`operation_id`, `outcome`, `seq`),
	KEY `operation_item_message_idx` (`message_id`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
