import { randomInt } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { AuditFilter, AuditPage, AuditRecord, AuditRow } from "../../port/audit.ts";
import { StoreError } from "../../port/store-error.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { nowText } from "../items/instant.ts";
import { type OwnTable, PARTITIONS, putIf, queryRecords } from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

/** Digits of an id after those of its millisecond. */
const PER_MS = 100_000n;
const LOOKED_AT_ONCE = 200;
/** Most entries that are searched for one page, because no index has actor or action. */
const LOOKED_AT_MOST = 50_000;
/** Largest difference between the ids and the times of entries, if a clock was set back, ms. */
const CLOCK_MS = 60_000;

let lastId = 0n;

/** 18 digits that sort by time, unique within a process; another process may have made the same. */
function nextId(nowMs: number): string {
  const wanted = BigInt(nowMs) * PER_MS + BigInt(randomInt(Number(PER_MS)));
  lastId = wanted > lastId ? wanted : lastId + 1n;
  return lastId.toString().padStart(18, "0");
}

/** The writes of an audit entry: for its lists, and for its message. */
export function auditWrites(own: OwnTable, { actor, ...record }: AuditRecord): TransactWriteItem[] {
  const nowMs = serverNowMs(own.link);
  const row: AuditRow = {
    id: nextId(nowMs),
    at: nowText(nowMs),
    actor: actor.name,
    role: actor.role,
    action: record.action,
    outbox: record.outbox,
    inbox: null,
    messageId: record.messageId ?? null,
    operationId: record.operationId ?? null,
    outcome: record.outcome,
    reason: record.reason,
    stateBefore: record.stateBefore ?? null,
    stateAfter: record.stateAfter ?? null,
    detail: record.detail ?? null,
  };
  const partitions = [PARTITIONS.audit, ...(row.messageId === null ? [] : [PARTITIONS.auditOf(row.messageId)])];
  return partitions.map((pk) => putIf(own, { pk, sk: row.id, doc: row, v: row.id }, null));
}

const TRIES = 3;

/**
 * All of the writes together with their audit entry. The entry gets another id if only that was taken: another process
 * has made the same one in the same millisecond. Throws what `Link.transact` throws.
 */
export async function transactAudited(own: OwnTable, writes: TransactWriteItem[], record: AuditRecord): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await own.link.transact([...writes, ...auditWrites(own, record)]);
    } catch (error) {
      const failed = cancelledBy(error)?.failed ?? [];
      const isTaken = failed.length > 0 && failed.every((place) => place >= writes.length);
      if (!isTaken || tried === TRIES) throw error;
    }
  }
}

/** Entries of the page, newest first. Reads by the time in the ids, so a filter by time reads no others. */
export async function listAuditRows(own: OwnTable, page: AuditPage): Promise<AuditRow[]> {
  const { filter, limit } = page;
  const pk = filter.messageId === undefined ? PARTITIONS.audit : PARTITIONS.auditOf(filter.messageId);
  const found: AuditRow[] = [];
  let before = earlier(page.before?.id, idAfter(filter.to));
  for (let looked = 0; looked < LOOKED_AT_MOST; ) {
    const { records, complete } = await queryRecords<AuditRow>(own, {
      pk,
      before,
      newestFirst: true,
      limit: LOOKED_AT_ONCE,
    });
    found.push(...records.map(({ doc }) => doc).filter((row) => matches(row, filter)));
    before = records.at(-1)?.sk ?? null;
    looked += records.length;
    if (complete || found.length >= limit || isBefore(before, filter.from)) return found.slice(0, limit);
  }
  const message = `Fewer entries match than a page holds among the ${LOOKED_AT_MOST} that were read: narrow the audit by time.`;
  throw new StoreError("refused", "query_timeout", message, {});
}

function earlier(one: string | undefined, another: string | null): string | null {
  if (one === undefined || another === null) return one ?? another;
  return one < another ? one : another;
}

/** Above every id of an entry before the instant. Ids come from a clock that may have been set back meanwhile. */
function idAfter(instant: string | undefined): string | null {
  return instant === undefined ? null : idOf(Date.parse(instant) + CLOCK_MS);
}

function isBefore(id: string | null, instant: string | undefined): boolean {
  return id !== null && instant !== undefined && id < idOf(Date.parse(instant) - CLOCK_MS);
}

function idOf(ms: number): string {
  return (BigInt(Math.max(0, ms)) * PER_MS).toString().padStart(18, "0");
}

function matches(row: AuditRow, filter: AuditFilter): boolean {
  const { outboxes, action, actor, outcome, from, to } = filter;
  return (
    (outboxes === undefined || (row.outbox !== null && outboxes.includes(row.outbox))) &&
    (action === undefined || row.action === action) &&
    (actor === undefined || row.actor === actor) &&
    (outcome === undefined || row.outcome === outcome) &&
    (from === undefined || Date.parse(row.at) >= Date.parse(from)) &&
    (to === undefined || Date.parse(row.at) < Date.parse(to))
  );
}
