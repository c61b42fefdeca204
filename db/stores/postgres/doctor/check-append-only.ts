import type { Pool } from "pg";
import { ourCommand } from "#domain/text/our-command.ts";
import type { DoctorFinding } from "../../port/doctor.ts";

interface Audit {
  table: string;
  user: string;
  /** Triggers that refuse a change, out of two. */
  refusing: number;
  /** The user owns the table, or is a superuser: it may switch the triggers off. */
  owns: boolean;
}

/** The audits in this database: of the store side and of the console side. */
const SQL = `
SELECT n.nspname || '.' || c.relname AS "table", current_user AS "user", pg_has_role(c.relowner, 'USAGE') AS owns,
  (SELECT count(*)::int FROM pg_trigger t
   WHERE t.tgrelid = c.oid AND t.tgname IN ('audit_append_only', 'audit_no_truncate') AND t.tgenabled IN ('O', 'A')) AS refusing
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('outbox_console', 'outbox_console_app') AND c.relname = 'audit' AND c.relkind = 'r' ORDER BY 1`;

const TRIGGERS = 2;

/** Says of each audit whether this database user can change or delete its entries. */
export async function checkAppendOnly(pool: Pool, name: string): Promise<DoctorFinding[]> {
  const { rows } = await pool.query<Audit>(SQL);
  return rows.map((audit) => judge(audit, name));
}

function judge({ table, user, refusing, owns }: Audit, name: string): DoctorFinding {
  if (refusing < TRIGGERS)
    return {
      level: "bad",
      text: `${name}: ${table} is not append-only: its triggers are missing or switched off`,
      fix: [
        `${ourCommand("migrate")}   -- or, where they are switched off:`,
        `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER audit_append_only;`,
        `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER audit_no_truncate;`,
      ].join("\n"),
    };
  if (owns)
    return {
      level: "later",
      text: `${name}: triggers keep ${table} append-only, but ${user} owns it and can switch them off`,
      fix: `Run ${ourCommand("migrate")} with another role, and give this one the grants of docs/operating.md.`,
    };
  return { level: "ok", text: `${name}: ${table} is append-only for ${user}` };
}
