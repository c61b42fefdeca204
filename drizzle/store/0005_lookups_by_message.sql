DROP INDEX "outbox_console"."delivery_group_idx";--> statement-breakpoint
DROP INDEX "outbox_console"."delivery_aggregate_idx";--> statement-breakpoint
CREATE INDEX "delivery_group_idx" ON "outbox_console"."delivery" USING btree ("outbox","fingerprint") WHERE fingerprint IS NOT NULL;--> statement-breakpoint
CREATE INDEX "delivery_aggregate_idx" ON "outbox_console"."delivery" USING btree ("outbox","aggregate_key") WHERE aggregate_key IS NOT NULL;