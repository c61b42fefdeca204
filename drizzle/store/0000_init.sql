CREATE SCHEMA IF NOT EXISTS "outbox_console";
--> statement-breakpoint
CREATE TABLE "outbox_console"."archive" (
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"image" json,
	"aggregate_type" text,
	"aggregate_id" text,
	"event_type" text,
	"created_at" timestamp(6) with time zone,
	"published_at" timestamp(6) with time zone,
	"payload_bytes" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_error_code" text,
	"first_error" text,
	"first_failed_at" timestamp(6) with time zone,
	"last_error_code" text,
	"last_error" text,
	"last_failed_at" timestamp(6) with time zone,
	"fingerprint" text,
	"state_before" text NOT NULL,
	"dead_at" timestamp(6) with time zone,
	"dead_by" text,
	"archived_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"archived_by" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "archive_outbox_message_id_pk" PRIMARY KEY("outbox","message_id")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."attempt" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console"."attempt_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp(6) with time zone NOT NULL,
	"duration_ms" double precision,
	"outcome" text NOT NULL,
	"code" text,
	"error" text,
	"relay" text,
	"sink" text
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console"."audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"actor" text NOT NULL,
	"role" text NOT NULL,
	"action" text NOT NULL,
	"outbox" text,
	"inbox" text,
	"message_id" text,
	"operation_id" uuid,
	"outcome" text NOT NULL,
	"reason" text,
	"state_before" text,
	"state_after" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."claim" (
	"token" uuid PRIMARY KEY NOT NULL,
	"outbox" text NOT NULL,
	"owner" text NOT NULL,
	"epoch" bigint NOT NULL,
	"message_ids" text[] NOT NULL,
	"started_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."dead_letter" (
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"image" json,
	"aggregate_type" text,
	"aggregate_id" text,
	"event_type" text,
	"created_at" timestamp(6) with time zone,
	"published_at" timestamp(6) with time zone,
	"payload_bytes" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_error_code" text,
	"first_error" text,
	"first_failed_at" timestamp(6) with time zone,
	"last_error_code" text,
	"last_error" text,
	"last_failed_at" timestamp(6) with time zone,
	"fingerprint" text,
	"dead_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"dead_by" text NOT NULL,
	CONSTRAINT "dead_letter_outbox_message_id_pk" PRIMARY KEY("outbox","message_id")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."delivery" (
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"aggregate_key" text,
	"order_key" text[],
	"event_type" text,
	"created_at" timestamp(6) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp(6) with time zone,
	"dead_at" timestamp(6) with time zone,
	"dead_by" text,
	"first_error_code" text,
	"first_error" text,
	"first_failed_at" timestamp(6) with time zone,
	"last_error_code" text,
	"last_error" text,
	"last_failed_at" timestamp(6) with time zone,
	"fingerprint" text,
	CONSTRAINT "delivery_outbox_message_id_pk" PRIMARY KEY("outbox","message_id")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."lease" (
	"outbox" text NOT NULL,
	"partition" integer DEFAULT 0 NOT NULL,
	"owner" text NOT NULL,
	"epoch" bigint NOT NULL,
	"until" timestamp(6) with time zone NOT NULL,
	CONSTRAINT "lease_outbox_partition_pk" PRIMARY KEY("outbox","partition")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."operation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"outbox" text NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"role" text NOT NULL,
	"reason" text NOT NULL,
	"idempotency_key" text,
	"request_hash" text NOT NULL,
	"result" json,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."pause" (
	"outbox" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"until" timestamp(6) with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."relay_instance" (
	"id" text NOT NULL,
	"outbox" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"heartbeat_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"state" text NOT NULL,
	"source" text NOT NULL,
	"sink" json NOT NULL,
	"published" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"published_per_second" double precision,
	"in_flight" integer DEFAULT 0 NOT NULL,
	"last_published_at" timestamp(6) with time zone,
	"last_error" text,
	"breaker" json,
	"late_commits" bigint DEFAULT 0 NOT NULL,
	"latency" bigint[] NOT NULL,
	CONSTRAINT "relay_instance_outbox_id_pk" PRIMARY KEY("outbox","id")
);
--> statement-breakpoint
CREATE INDEX "archive_time_idx" ON "outbox_console"."archive" USING btree ("outbox","archived_at" DESC NULLS LAST,"message_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "attempt_message_idx" ON "outbox_console"."attempt" USING btree ("outbox","message_id","id");--> statement-breakpoint
CREATE INDEX "attempt_started_idx" ON "outbox_console"."attempt" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "audit_time_idx" ON "outbox_console"."audit" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_message_idx" ON "outbox_console"."audit" USING btree ("outbox","message_id","id");--> statement-breakpoint
CREATE INDEX "claim_outbox_idx" ON "outbox_console"."claim" USING btree ("outbox");--> statement-breakpoint
CREATE INDEX "dead_letter_time_idx" ON "outbox_console"."dead_letter" USING btree ("outbox","dead_at" DESC NULLS LAST,"message_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dead_letter_group_idx" ON "outbox_console"."dead_letter" USING btree ("outbox","fingerprint");--> statement-breakpoint
CREATE INDEX "dead_letter_aggregate_idx" ON "outbox_console"."dead_letter" USING btree ("outbox","aggregate_id");--> statement-breakpoint
CREATE INDEX "delivery_due_idx" ON "outbox_console"."delivery" USING btree ("outbox","next_attempt_at") WHERE dead_at IS NULL;--> statement-breakpoint
CREATE INDEX "delivery_dead_idx" ON "outbox_console"."delivery" USING btree ("outbox","dead_at") WHERE dead_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "delivery_group_idx" ON "outbox_console"."delivery" USING btree ("outbox","fingerprint");--> statement-breakpoint
CREATE INDEX "delivery_aggregate_idx" ON "outbox_console"."delivery" USING btree ("outbox","aggregate_key");--> statement-breakpoint
CREATE UNIQUE INDEX "operation_key_idx" ON "outbox_console"."operation" USING btree ("actor","idempotency_key");--> statement-breakpoint
CREATE INDEX "operation_time_idx" ON "outbox_console"."operation" USING btree ("outbox","at" DESC NULLS LAST);