ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "routes" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "foreign_published" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "foreign_unclaimed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "foreign_since" timestamp(6) with time zone;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "foreign_last_at" timestamp(6) with time zone;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "clock_offset_ms" double precision;--> statement-breakpoint
ALTER TABLE "outbox_console"."relay_instance" ADD COLUMN "settling_since" timestamp(6) with time zone;