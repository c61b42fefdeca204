CREATE TABLE "outbox_console_app"."session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"address" text NOT NULL,
	"started_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"seen_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp(6) with time zone NOT NULL,
	"ended_at" timestamp(6) with time zone,
	"ended_by" text
);
--> statement-breakpoint
CREATE INDEX "session_expiry_idx" ON "outbox_console_app"."session" USING btree ("expires_at");