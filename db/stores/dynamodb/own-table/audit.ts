import { randomInt } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { AuditFilter, AuditRecord, AuditRow } from "../../port/audit.ts";
import { nowText } from "../items/instant.ts";
import { type OwnTable, PARTITIONS, putIf, queryRecords } from "./own-table.ts";

/** Digits of an id after those of its millisecond. */
const PER_MS = 100_000n;
const LOOKED_AT_ONCE = 200;
/** Entries that a page is looked for in. */
const LOOKED_AT_MOST = 5_000;

let lastId = 0n;

/** 18 digits that sort by time; two of one process never alike. */
function nextId(nowMs: number): string {
  const wanted = BigInt(nowMs) * PER_MS + BigInt(randomInt(1000));
  lastId = wanted > lastId ? wanted : lastId + 1n;
  return lastId.toString().padStart(18, "0");
}

/** The writes of an audit entry: for its lists, and for its message. */
export function auditWrites(own: OwnTable, { actor, ...record }: AuditRecord): TransactWriteItem[] {
  const nowMs = Date.now();
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

/** Entries before `beforeId`, newest first. */
export async function listAuditRows(
  own: OwnTable,
  input: { filter: AuditFilter; beforeId: string | null; limit: number },
): Promise<AuditRow[]> {
  const { filter, limit } = input;
  const pk = filter.messageId === undefined ? PARTITIONS.audit : PARTITIONS.auditOf(filter.messageId);
  const found: AuditRow[] = [];
  let before = input.beforeId;
  for (let looked = 0; looked < LOOKED_AT_MOST; ) {
    const { records, complete } = await queryRecords<AuditRow>(own, {
      pk,
      before,
      newestFirst: true,
      limit: LOOKED_AT_ONCE,
    });
    found.push(...records.map(({ doc }) => doc).filter((row) => matches(row, filter)));
    if (complete || found.length >= limit) break;
    looked += records.length;
    before = records.at(-1)?.sk ?? null;
  }
  return found.slice(0, limit);
}

function matches(row: AuditRow, { outbox, action, actor }: AuditFilter): boolean {
  return (
    (outbox === undefined || row.outbox === outbox) &&
    (action === undefined || row.action === action) &&
    (actor === undefined || row.actor === actor)
  );
}
