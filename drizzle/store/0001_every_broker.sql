CREATE TABLE "outbox_console"."restored" (
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "restored_outbox_message_id_pk" PRIMARY KEY("outbox","message_id")
);
--> statement-breakpoint
CREATE TABLE "outbox_console"."suspect" (
	"outbox" text NOT NULL,
	"message_id" text NOT NULL,
	"orphaned" integer DEFAULT 1 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "suspect_outbox_message_id_pk" PRIMARY KEY("outbox","message_id")
);
--> statement-breakpoint
ALTER TABLE "outbox_console"."claim" ADD COLUMN "alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."delivery" ADD COLUMN "image" json;--> statement-breakpoint
ALTER TABLE "outbox_console"."pause" ADD COLUMN "scope" text DEFAULT 'outbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."pause" ADD COLUMN "subject" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."pause" ADD COLUMN "message_id" text;--> statement-breakpoint
ALTER TABLE "outbox_console"."pause" DROP CONSTRAINT "pause_pkey";--> statement-breakpoint
ALTER TABLE "outbox_console"."pause" ADD CONSTRAINT "pause_outbox_scope_subject_pk" PRIMARY KEY("outbox","scope","subject");--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "partitions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "stream" json;--> statement-breakpoint
CREATE INDEX "pause_message_idx" ON "outbox_console"."pause" USING btree ("outbox","message_id") WHERE message_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."claim" ALTER COLUMN "message_ids" SET STORAGE EXTERNAL;
