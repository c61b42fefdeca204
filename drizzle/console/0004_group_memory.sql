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
CREATE INDEX "group_note_idx" ON "outbox_console_app"."group_note" USING btree ("outbox","fingerprint","id");