CREATE TABLE "outbox_console_app"."api_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"outboxes" json,
	"hash" text NOT NULL,
	"created_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp(6) with time zone NOT NULL,
	"used_at" timestamp(6) with time zone,
	"used_from" text,
	"revoked_at" timestamp(6) with time zone,
	"revoked_by" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "api_token_hash_idx" ON "outbox_console_app"."api_token" USING btree ("hash");