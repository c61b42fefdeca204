import type { OutboxConfig } from "../config/outbox-schema.ts";
import { rowSecurityRemedy, rowSecurityWarning } from "../outboxes/row-security.ts";
import type { StoreHandle } from "../stores/read-store.ts";
import type { DoctorReport } from "./report.ts";

/** Rows that are hidden, with the SQL that shows them to the user of the store. */
export async function reportRowSecurity(input: {
  store: StoreHandle;
  table: { schema: string; name: string };
  mode: OutboxConfig["mode"];
  report: DoctorReport;
}): Promise<void> {
  const { rows } = await input.store.reads.query<{ user: string }>('SELECT current_user AS "user"');
  const remedy = rowSecurityRemedy(input.table, rows[0]?.user ?? "its user", input.mode);
  input.report.bad(rowSecurityWarning(input.table), remedy);
}
