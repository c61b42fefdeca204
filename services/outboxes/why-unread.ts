import type { OutboxHandle } from "../stores/handles.ts";
import { lacksOwnTables } from "./own-tables.ts";
import { rowSecurityWarning } from "./row-security.ts";

/** Sentence: messages of an outbox that are missing in every list and count, and why; null if none may be. */
export function whyUnread(handle: OutboxHandle): string | null {
  if (handle.catalog.rowSecurity) return rowSecurityWarning(handle.mapping.table);
  if (handle.operatedBefore)
    return "This outbox is only observed now, so dead letters, archived messages and failed attempts that the console recorded while it was operated are not read.";
  return lacksOwnTables(handle)
    ? `The console's own tables ${handle.ownTablesOlder ? "in this database are older than this program" : "are missing in this database"}, so dead letters, archived messages and failed attempts that they recorded are not read.`
    : null;
}
