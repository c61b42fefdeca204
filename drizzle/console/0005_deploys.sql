CREATE TABLE "outbox_console_app"."deploy" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."deploy_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"service" text NOT NULL,
	"version" text NOT NULL,
	"outbox" text,
	"at" timestamp(6) with time zone NOT NULL,
	"link" text,
	"reported_by" text NOT NULL,
	"idempotency_key" text,
	"recorded_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "deploy_key_idx" ON "outbox_console_app"."deploy" USING btree ("reported_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "deploy_time_idx" ON "outbox_console_app"."deploy" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);