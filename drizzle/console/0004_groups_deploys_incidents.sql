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
CREATE TABLE "outbox_console_app"."group_mark" (
	"outbox" text NOT NULL,
	"fingerprint" text NOT NULL,
	"title" text NOT NULL,
	"claimed_by" text,
	"claimed_at" timestamp(6) with time zone,
	"resolved_by" text,
	"resolved_at" timestamp(6) with time zone,
	"resolved_seen" timestamp(6) with time zone,
	"ignored_by" text,
	"ignored_at" timestamp(6) with time zone,
	"ignored_reason" text,
	"ignored_up_to" integer,
	"changed_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "group_mark_outbox_fingerprint_pk" PRIMARY KEY("outbox","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."group_note" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."group_note_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"outbox" text NOT NULL,
	"fingerprint" text NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
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
CREATE UNIQUE INDEX "deploy_key_idx" ON "outbox_console_app"."deploy" USING btree ("reported_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "deploy_time_idx" ON "outbox_console_app"."deploy" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "group_note_idx" ON "outbox_console_app"."group_note" USING btree ("outbox","fingerprint","id");--> statement-breakpoint
CREATE INDEX "incident_open_idx" ON "outbox_console_app"."incident" USING btree ("id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "incident_entry_idx" ON "outbox_console_app"."incident_entry" USING btree ("incident","id");--> statement-breakpoint
CREATE INDEX "audit_time_idx" ON "outbox_console_app"."audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "finding_time_idx" ON "outbox_console_app"."finding" USING btree ("since");