ALTER TABLE "outbox_console"."mapping_fingerprint" ADD COLUMN "earlier_tables" text[];--> statement-breakpoint
ALTER TABLE "outbox_console"."mapping_fingerprint" ADD COLUMN "server" text;