CREATE TABLE "outbox_console_app"."audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_console_app"."audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"actor" text NOT NULL,
	"role" text NOT NULL,
	"action" text NOT NULL,
	"outbox" text,
	"inbox" text,
	"outcome" text NOT NULL,
	"reason" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "outbox_console_app"."known_table" (
	"kind" text NOT NULL,
	"store" text NOT NULL,
	"table_schema" text NOT NULL,
	"table_name" text NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"configured" boolean NOT NULL,
	"first_seen_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_seen_at" timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"missing_since" timestamp(6) with time zone,
	CONSTRAINT "known_table_kind_store_table_schema_table_name_pk" PRIMARY KEY("kind","store","table_schema","table_name")
);
