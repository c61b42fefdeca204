import { z } from "zod";
import type { AuditQuery } from "#contracts/access/audit.ts";
import type { AuditList } from "#contracts/message/messages.ts";
import type { AuditPage, AuditPlace } from "#db/stores/port/audit.ts";
import { nextCursorOf, parsePlaces } from "../places-cursor.ts";
import { readSources } from "../read-sources.ts";
import type { Runtime } from "../runtime.ts";
import { type AuditSource, auditSources } from "./audit-sources.ts";
import { type AuditRead, mergeAudits } from "./merge-audits.ts";

const ENTRY_ID = z.string().regex(/^c?\d{1,18}$/);

/**
 * Audit entries of all stores and of the console, newest first; with an outbox, those of this outbox only. An audit
 * that cannot be read is named in `missing`, and goes on where it was; if none can be read, the error is thrown.
 * Throws: not_found, invalid_input, unavailable, query_timeout.
 */
export async function listAudit(input: { runtime: Runtime; query: AuditQuery }): Promise<AuditList> {
  const { runtime, query } = input;
  const { cursor, limit, outbox, ...filter } = query;
  const begins = parsePlaces(cursor, ENTRY_ID);
  const { sources, missing } = await auditSources(runtime, outbox);
  const asOf = new Date().toISOString();
  const outboxes = outbox === undefined ? (runtime.only ?? undefined) : [outbox];
  const page = { filter: { ...filter, outboxes }, limit };
  const read = await readSources(sources, begins, {
    read: (source, before) => readOne(source, before, page),
    missing: (name) => `The audit of ${name} could not be read, so its entries are missing`,
  });
  const { entries, places } = mergeAudits(read.reads, limit);
  const all = [...missing, ...read.missing];
  const next = { places, read: read.reads, kept: read.kept, missing: all, entries: entries.length };
  return {
    entries,
    nextCursor: nextCursorOf(next),
    missing: all,
    asOf,
  };
}

/** `before`: null where the audit has ended, undefined on the first page. */
async function readOne(
  { name, prefix, read }: AuditSource,
  before: AuditPlace | null | undefined,
  page: Omit<AuditPage, "before">,
): Promise<AuditRead> {
  if (before === null) return { name, prefix, rows: [], whole: true };
  const rows = await read({ ...page, before: before ?? null, limit: page.limit + 1 });
  return { name, prefix, rows, whole: rows.length <= page.limit };
}
