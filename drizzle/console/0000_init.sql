CREATE SCHEMA IF NOT EXISTS "outbox_console_app";
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."finding" (
	"outbox" text NOT NULL,
	"rule" text NOT NULL,
	"subject" text NOT NULL,
	"since" timestamp(6) with time zone NOT NULL,
	"seen_at" timestamp(6) with time zone NOT NULL,
	"closed_at" timestamp(6) with time zone,
	"detail" json NOT NULL,
	CONSTRAINT "finding_outbox_rule_subject_since_pk" PRIMARY KEY("outbox","rule","subject","since")
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."monitor_lease" (
	"id" integer PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"until" timestamp(6) with time zone NOT NULL,
	"heartbeat_at" timestamp(6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."sample" (
	"outbox" text NOT NULL,
	"step_seconds" integer NOT NULL,
	"at" timestamp(6) with time zone NOT NULL,
	"in_per_second" double precision,
	"out_per_second" double precision,
	"failures_per_second" double precision,
	"backlog" double precision,
	"dead" double precision,
	"oldest_pending_seconds" double precision,
	"p50_ms" double precision,
	"p99_ms" double precision,
	CONSTRAINT "sample_outbox_step_seconds_at_pk" PRIMARY KEY("outbox","step_seconds","at")
);
--> statement-breakpoint
CREATE INDEX "finding_open_idx" ON "outbox_console_app"."finding" USING btree ("outbox") WHERE closed_at IS NULL;