import type { TableName } from "#db/stores/port/mapping.ts";
import type { AccessMode } from "#db/stores/port/store.ts";
import { rowSecurityWarning } from "../outboxes/row-security.ts";
import type { StoreHandle } from "../runtime.ts";
import type { DoctorReport } from "./report.ts";

/** Reports hidden rows, with the statement that shows them to the store's user. */
export async function reportRowSecurity(input: {
  store: StoreHandle;
  table: TableName;
  mode: AccessMode;
  report: DoctorReport;
}): Promise<void> {
  const { store, table, mode, report } = input;
  report.bad(rowSecurityWarning(table), store.everyRowStatement(table, mode, await store.user()));
}
