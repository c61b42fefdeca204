CREATE TABLE "outbox_console_app"."alert_delivery" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."alert_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook" text NOT NULL,
	"outbox" text NOT NULL,
	"event" text NOT NULL,
	"status" text NOT NULL,
	"summary" text NOT NULL,
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp(6) with time zone,
	"delivered_at" timestamp(6) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."alert_state" (
	"webhook" text NOT NULL,
	"outbox" text NOT NULL,
	"notified" text NOT NULL,
	"seen" text NOT NULL,
	"seen_since" timestamp(6) with time zone NOT NULL,
	CONSTRAINT "alert_state_webhook_outbox_pk" PRIMARY KEY("webhook","outbox")
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."saved_view" (
	"id" uuid PRIMARY KEY NOT NULL,
	"outbox" text NOT NULL,
	"name" text NOT NULL,
	"query" json NOT NULL,
	"columns" json NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."size_sample" (
	"outbox" text NOT NULL,
	"at" timestamp(6) with time zone NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "size_sample_outbox_at_pk" PRIMARY KEY("outbox","at")
);
--> statement-breakpoint
CREATE INDEX "alert_delivery_due_idx" ON "outbox_console_app"."alert_delivery" USING btree ("next_attempt_at") WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_delivery_time_idx" ON "outbox_console_app"."alert_delivery" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_name_idx" ON "outbox_console_app"."saved_view" USING btree ("outbox","name");