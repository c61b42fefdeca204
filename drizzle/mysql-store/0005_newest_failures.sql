ALTER TABLE {{delivery}}
	ADD KEY `delivery_newest_idx` (`outbox`, `last_failed_at`);
