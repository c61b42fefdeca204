CREATE TABLE "outbox_console"."mapping_fingerprint" (
	"outbox" text PRIMARY KEY NOT NULL,
	"fingerprint" jsonb NOT NULL,
	"accepted_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"accepted_by" text NOT NULL
);
