CREATE TABLE "outbox_console"."operation_item" (
	"operation_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"message_id" text NOT NULL,
	"version" text NOT NULL,
	"event_type" text,
	"aggregate_id" text,
	"state_before" text NOT NULL,
	"outcome" text,
	"code" text,
	"message" text,
	"acted_at" timestamp(6) with time zone,
	"settled_at" timestamp(6) with time zone,
	CONSTRAINT "operation_item_operation_id_seq_pk" PRIMARY KEY("operation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."retention_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"outbox" text NOT NULL,
	"subject" text NOT NULL,
	"rule" text NOT NULL,
	"started_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp(6) with time zone,
	"removed_rows" bigint DEFAULT 0 NOT NULL,
	"removed_bytes" bigint DEFAULT 0 NOT NULL,
	"end" text,
	"detail" text
);
--> statement-breakpoint
DROP INDEX "outbox_console"."archive_time_idx";--> statement-breakpoint
DROP INDEX "outbox_console"."audit_time_idx";--> statement-breakpoint
DROP INDEX "outbox_console"."dead_letter_time_idx";--> statement-breakpoint
DROP INDEX "outbox_console"."delivery_dead_idx";--> statement-breakpoint
DROP INDEX "outbox_console"."operation_time_idx";--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "plan" json;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "progress" json;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "runner" text;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "runner_until" timestamp(6) with time zone;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "heartbeat_at" timestamp(6) with time zone;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "fence" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."operation" ADD COLUMN "ended_at" timestamp(6) with time zone;--> statement-breakpoint
CREATE INDEX "operation_item_outcome_idx" ON "outbox_console"."operation_item" USING btree ("operation_id","outcome","seq") WHERE outcome IS NOT NULL;--> statement-breakpoint
CREATE INDEX "operation_item_left_idx" ON "outbox_console"."operation_item" USING btree ("operation_id","seq") WHERE outcome IS NULL;--> statement-breakpoint
CREATE INDEX "operation_item_message_idx" ON "outbox_console"."operation_item" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "retention_run_time_idx" ON "outbox_console"."retention_run" USING btree ("outbox","started_at");--> statement-breakpoint
CREATE INDEX "operation_open_idx" ON "outbox_console"."operation" USING btree ("at") WHERE state IN ('selecting', 'running', 'cancelling');--> statement-breakpoint
CREATE INDEX "archive_time_idx" ON "outbox_console"."archive" USING btree ("outbox","archived_at","message_id");--> statement-breakpoint
CREATE INDEX "audit_time_idx" ON "outbox_console"."audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "dead_letter_time_idx" ON "outbox_console"."dead_letter" USING btree ("outbox","dead_at","message_id");--> statement-breakpoint
CREATE INDEX "delivery_dead_idx" ON "outbox_console"."delivery" USING btree ("outbox","dead_at","message_id") WHERE dead_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "operation_time_idx" ON "outbox_console"."operation" USING btree ("outbox","at");