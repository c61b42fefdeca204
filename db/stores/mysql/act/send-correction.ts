import { sql } from "drizzle-orm";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { CorrectionRequest, CorrectionResult } from "../../port/correction.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { HOLD_ENDED } from "../../shared/act/act-sentences.ts";
import {
  concludeCorrection,
  requireAsTyped,
  requireCorrectable,
  requireFirstCopy,
  requirePending,
  requireStored,
} from "../../shared/act/correction.ts";
import { requireRuledVerb } from "../../shared/act/ruled-verb.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { afterDeadlock } from "../own-schema/after-deadlock.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { findMessage, sourceOf } from "../read/find-message.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { requireTransactions } from "../tables/require-transactions.ts";
import { requireZones } from "../tables/zones.ts";
import { correctedAmong } from "./corrected.ts";
import { deadLetterMessage } from "./dead-letter-message.ts";
import { leaveClaims } from "./leave-claims.ts";
import { lockRow } from "./lock-row.ts";
import { releaseHolds } from "./release-holds.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";
import { planCopy, writeCopy } from "./write-copy.ts";

/**
 * Writes a corrected copy of a failed or dead message as a new row, and leaves the original dead, with the audit's rows
 * of both, in one transaction. Locks as `performVerb`. Throws: not_found, conflict (changed, or corrected before),
 * in_flight, wrong_state, locked.
 */
export function sendCorrection(pool: Pool, ref: OutboxRef, request: CorrectionRequest): Promise<CorrectionResult> {
  return afterDeadlock(() => sendOnce(pool, ref, request));
}

function sendOnce(pool: Pool, ref: OutboxRef, request: CorrectionRequest): Promise<CorrectionResult> {
  return withWriteTransaction(pool, async (session) => {
    await requireZones(session, ref.mapping);
    await requireTransactions(session, ref.mapping.table);
    await lockOutbox(session, ref.name, "exclusive");
    await requireAcceptedTable(session, ref);
    await lockRow(session, ref, request.id);
    const found = await findMessage(session, ref, request.id);
    const id = found?.row.id ?? request.id;
    requireFirstCopy((await correctedAmong(session, ref, [id])).get(id) ?? null);
    requireCorrectable(found?.row, request);
    if (!found) throw new AppError("not_found", "This message is not there any more.");
    const plan = await planCopy(session, ref.mapping);
    if ("no" in plan) throw new AppError("wrong_state", plan.no);
    const [payload, headers] = await readTexts(session, ref, found);
    const original = requireStored(payload);
    const copyId = await writeCopy(session, ref, { values: plan.values, found, request });
    const kept = await requireKept(session, ref, { copyId, request });
    await leaveClaims(session, ref, [found.row.id]);
    const told = await leaveDead(session, ref, { found, request });
    const after = await findMessage(session, ref, found.row.id);
    const done = concludeCorrection(ref, request, {
      ...{ original: { row: found.row, payload: original }, copy: { id: copyId, payload: kept }, told },
      ...{ after: after?.row, headersChanged: request.headers !== undefined && request.headers !== headers },
    });
    for (const record of done.audit) await writeAudit(session, record);
    return done.result;
  });
}

/** Payload and headers as text. */
async function readTexts(session: Session, ref: OutboxRef, found: FoundMessage): Promise<(string | null)[]> {
  const { payload, headers } = ref.mapping.columns;
  const source = await sourceOf(session, ref, found);
  if (!source) return [null, null];
  const texts = [source.text(payload), headers ? source.text(headers) : sql`NULL`];
  const [row] = await session.rows(sql`SELECT ${texts[0]}, ${texts[1]} FROM ${source.from}`);
  return [row?.[0] ?? null, row?.[1] ?? null];
}

/** Returns the copy's payload as stored. Throws unless the copy is pending and holds the typed values. */
async function requireKept(
  session: Session,
  ref: OutboxRef,
  { copyId, request }: { copyId: string; request: CorrectionRequest },
): Promise<string> {
  const copy = await findMessage(session, ref, copyId);
  requirePending(copy?.row);
  if (!copy) return request.payload;
  const [payload = null, headers = null] = await readTexts(session, ref, copy);
  const isJson = (type: string) => kindOf(type) === "json";
  const { columns } = ref.mapping;
  requireAsTyped({ typed: request.payload, stored: payload, isJson: isJson(columns.payload.type) });
  if (request.headers !== undefined && columns.headers)
    requireAsTyped({ typed: request.headers, stored: headers, isJson: isJson(columns.headers.type) });
  return payload ?? request.payload;
}

/** The original is given up on, if it is not dead yet; its aggregate is not held behind it any more. */
async function leaveDead(
  session: Session,
  ref: OutboxRef,
  { found, request }: { found: FoundMessage; request: CorrectionRequest },
): Promise<string> {
  let told = "The original stays dead.";
  if (found.row.state !== "dead") {
    requireRuledVerb(ref.mapping, "dead-letter", found.place);
    told = await deadLetterMessage(session, ref, found, { ...request, action: "dead-letter", dryRun: false });
  }
  const released = await releaseHolds(session, ref, [found.row.id]);
  return released.size > 0 ? `${told} ${HOLD_ENDED}` : told;
}
