ALTER TABLE {{delivery}}
	ADD KEY `delivery_failing_idx` (`outbox`, `dead_at`, `first_failed_at`);
--> statement-breakpoint
ALTER TABLE {{pause}}
	ADD KEY `pause_since_idx` (`outbox`, `at`);
