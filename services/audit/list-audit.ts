import type { AuditQuery } from "#contracts/audit.ts";
import type { AuditList } from "#contracts/messages.ts";
import type { AuditRow } from "#db/stores/port/audit.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";

/** Where a page ends in each of the two audits; null on the first page. */
interface Cursor {
  store: string | null;
  console: string | null;
}

/**
 * Audit entries, newest first. Each store has its own audit, so the query selects a store by one of its outboxes;
 * default: the first store with an audit. Actions on the console's own records, such as forgetting a missing outbox,
 * are listed for every outbox, because a forgotten outbox has no page of its own. Throws: not_found, invalid_input,
 * unavailable.
 */
export async function listAudit(input: { runtime: Runtime; query: AuditQuery }): Promise<AuditList> {
  const { runtime, query } = input;
  const store = await storeOf(runtime, query.outbox);
  const asOf = new Date().toISOString();
  const before = parseCursor(query.cursor);
  const [ofStore, ofConsole] = await Promise.all([
    store ? readStoreAudit(runtime, store, query, before.store) : [],
    readConsoleAudit(runtime, query, before.console),
  ]);
  const all = [...ofStore, ...ofConsole].sort((a, b) => (a.at < b.at ? 1 : -1));
  const entries = all.slice(0, query.limit);
  const last = (own: readonly AuditRow[], from: string | null) =>
    own.findLast((row) => entries.includes(row))?.id ?? from;
  const next = { store: last(ofStore, before.store), console: last(ofConsole, before.console) };
  return { entries, nextCursor: all.length > query.limit ? printCursor(next) : null, asOf };
}

async function readStoreAudit(
  { only }: Runtime,
  store: StoreHandle,
  query: AuditQuery,
  beforeId: string | null,
): Promise<AuditRow[]> {
  const { cursor: _, limit, outbox, ...rest } = query;
  const outboxes = outbox === undefined ? (only ?? [undefined]) : [outbox];
  const read = await Promise.all(
    outboxes.map((one) => store.records.audit({ filter: { ...rest, outbox: one }, beforeId, limit: limit + 1 })),
  );
  if (read.length === 1) return read.flat();
  return read
    .flat()
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, limit + 1);
}

async function readConsoleAudit(runtime: Runtime, query: AuditQuery, beforeId: string | null): Promise<AuditRow[]> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine || query.messageId !== undefined) return [];
  const { action = null, actor = null, limit } = query;
  return consoleLine
    .ask(() => records.audit({ action, actor, beforeId, limit: limit + 1 }))
    .catch((error: unknown) => {
      // A console side that is not migrated has no audit.
      if (troubleOf(error) === "missing") return [];
      throw error;
    });
}

/** Format: `<id>` of the store's audit, then `.c<id>` of the console's. */
function parseCursor(cursor: string | undefined): Cursor {
  if (cursor === undefined) return { store: null, console: null };
  const parts = /^(\d{1,18})?(?:\.c(\d{1,18}))?$/.exec(cursor);
  if (!parts) throw new AppError("invalid_input", "This page link is damaged; start again from the first page.");
  return { store: parts[1] ?? null, console: parts[2] ?? null };
}

function printCursor({ store, console }: Cursor): string {
  return `${store ?? ""}${console === null ? "" : `.c${console.replace(/^c/, "")}`}`;
}

async function storeOf(runtime: Runtime, outbox: string | undefined): Promise<StoreHandle | undefined> {
  if (outbox) {
    const handle = await runtime.outbox(outbox);
    return handle.storeSide ? handle.store : undefined;
  }
  return (await runtime.tables()).outboxes.find((handle) => handle.storeSide)?.store;
}
