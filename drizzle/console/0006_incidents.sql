CREATE TABLE "outbox_console_app"."incident" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."incident_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"since" timestamp(6) with time zone NOT NULL,
	"opened_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"opened_by" text NOT NULL,
	"lead" text,
	"lead_since" timestamp(6) with time zone,
	"outboxes" json NOT NULL,
	"failure_group" json,
	"ended_at" timestamp(6) with time zone,
	"ended_by" text,
	"outcome" text,
	"kept" json
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."incident_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."incident_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident" bigint NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"author" text NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "incident_open_idx" ON "outbox_console_app"."incident" USING btree ("id" DESC NULLS LAST) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "incident_entry_idx" ON "outbox_console_app"."incident_entry" USING btree ("incident","id");--> statement-breakpoint
CREATE INDEX "audit_time_idx" ON "outbox_console_app"."audit" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "finding_time_idx" ON "outbox_console_app"."finding" USING btree ("since" DESC NULLS LAST);