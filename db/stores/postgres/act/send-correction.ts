import { sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
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
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { findMessage, keyIs, sourceOf } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { outboxTable } from "../tables/outbox-table.ts";
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
  return withWriteTransaction(pool, async (client) => {
    await lockOutbox(client, ref.name, "exclusive");
    await requireAcceptedTable(client, ref);
    await lockRow(client, ref, request.id);
    const found = await findMessage(client, ref, request.id);
    const id = found?.row.id ?? request.id;
    requireFirstCopy((await correctedAmong(client, ref, [id])).get(id) ?? null);
    requireCorrectable(found?.row, request);
    if (!found) throw new AppError("not_found", "This message is not there any more.");
    const plan = await planCopy(client, ref.mapping);
    if ("no" in plan) throw new AppError("wrong_state", plan.no);
    const from = await sourceOf(client, ref, found);
    if (!from) throw new AppError("not_found", "This message is not there any more.");
    const [payload, headers] = await readTexts(client, ref, from);
    const original = requireStored(payload);
    const copyId = await writeCopy(client, { mapping: ref.mapping, values: plan.values, from, request });
    const kept = await requireKept(client, ref, { copyId, request });
    await leaveClaims(client, ref, [found.row.id]);
    const told = await leaveDead(client, ref, { found, request });
    const after = await findMessage(client, ref, found.row.id);
    const done = concludeCorrection(ref, request, {
      ...{ original: { row: found.row, payload: original }, copy: { id: copyId, payload: kept }, told },
      ...{ after: after?.row, headersChanged: request.headers !== undefined && request.headers !== headers },
    });
    for (const record of done.audit) await writeAudit(client, record);
    return done.result;
  });
}

async function readTexts(
  client: PoolClient,
  { mapping }: OutboxRef,
  from: NonNullable<Awaited<ReturnType<typeof sourceOf>>>,
): Promise<(string | null)[]> {
  const { payload, headers } = mapping.columns;
  const { column } = outboxTable(mapping);
  const { rows } = await queryOn(client).execute<{ payload: string | null; headers: string | null }>(
    sql`SELECT ${column(payload)}::text AS payload, ${headers ? sql`${column(headers)}::text` : sql`NULL::text`} AS headers FROM ${from}`,
  );
  return [rows[0]?.payload ?? null, rows[0]?.headers ?? null];
}

/** Returns the copy's payload as stored. Throws unless the copy is pending and holds the typed values. */
async function requireKept(
  client: PoolClient,
  ref: OutboxRef,
  { copyId, request }: { copyId: string; request: CorrectionRequest },
): Promise<string> {
  requirePending((await findMessage(client, ref, copyId))?.row);
  const { table, rows } = outboxTable(ref.mapping);
  const keys = keyArrays(ref.mapping, copyId) ?? [];
  const [payload = null, headers = null] = await readTexts(
    client,
    ref,
    sql`${table} ${rows} WHERE ${keyIs(ref.mapping, keys)}`,
  );
  const isJson = (type: string | undefined) => /^jsonb?$/.test(type ?? "");
  const { columns } = ref.mapping;
  requireAsTyped({ typed: request.payload, stored: payload, isJson: isJson(columns.payload.type) });
  if (request.headers !== undefined && columns.headers)
    requireAsTyped({ typed: request.headers, stored: headers, isJson: isJson(columns.headers.type) });
  return payload ?? request.payload;
}

/** The original is given up on, if it is not dead yet; its aggregate is not held behind it any more. */
async function leaveDead(
  client: PoolClient,
  ref: OutboxRef,
  { found, request }: { found: FoundMessage; request: CorrectionRequest },
): Promise<string> {
  const { id } = found.row;
  let told = "The original stays dead.";
  if (found.row.state !== "dead") {
    requireRuledVerb(ref.mapping, "dead-letter", found.place);
    told = await deadLetterMessage(client, ref, found, { ...request, action: "dead-letter", dryRun: false });
  }
  const released = await releaseHolds(client, ref, [id]);
  return released ? `${told} ${HOLD_ENDED}` : told;
}
