CREATE FUNCTION "outbox_console_app"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit is append-only: % of outbox_console_app.audit is refused.', TG_OP
    USING ERRCODE = 'insufficient_privilege', HINT = 'docs/security.md says how the owner of the table removes old entries.';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "outbox_console_app"."audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "outbox_console_app"."refuse_audit_change"();--> statement-breakpoint
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "outbox_console_app"."audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "outbox_console_app"."refuse_audit_change"();--> statement-breakpoint
ALTER TABLE "outbox_console_app"."audit" ENABLE ALWAYS TRIGGER "audit_append_only";--> statement-breakpoint
ALTER TABLE "outbox_console_app"."audit" ENABLE ALWAYS TRIGGER "audit_no_truncate";
