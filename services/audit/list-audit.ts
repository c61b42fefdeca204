import type { AuditQuery } from "#contracts/audit.ts";
import type { AuditList } from "#contracts/messages.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { listAuditRows } from "#db/store-side/list-audit.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";

/**
 * Who did what, newest first. Each store keeps its own audit beside its outboxes, so the page names a store by one of
 * its outboxes; without one it is the first store that has an audit. Throws: not_found, invalid_input, unavailable.
 */
export async function listAudit(input: { runtime: Runtime; query: AuditQuery }): Promise<AuditList> {
  const { cursor, limit, ...filter } = input.query;
  const store = await storeOf(input.runtime, filter.outbox);
  const asOf = new Date().toISOString();
  if (!store) return { entries: [], nextCursor: null, asOf };
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new AppError("invalid_input", "This page link is damaged; start again from the first page.");
  try {
    const rows = await listAuditRows(store.reads, { filter, beforeId: cursor ?? null, limit: limit + 1 });
    const entries = rows.slice(0, limit);
    return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null, asOf };
  } catch (error) {
    throw toDatabaseError(error, `store ${store.name}`);
  }
}

async function storeOf(runtime: Runtime, outbox: string | undefined): Promise<StoreHandle | undefined> {
  if (outbox) {
    const handle = await runtime.outbox(outbox);
    return handle.storeSide ? handle.store : undefined;
  }
  return (await runtime.tables()).outboxes.find((handle) => handle.storeSide)?.store;
}
