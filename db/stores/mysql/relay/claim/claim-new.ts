import { randomUUID } from "node:crypto";
import type { ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import type { Session } from "../../connection/session.ts";
import { forced, instantExpression, quoteTable } from "../../tables/mapping-sql.ts";
import { hasId } from "../literals.ts";
import type { RowReader } from "../read-row.ts";
import type { RelayContext, StatementContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { claimOpening, insertClaim, readOpening } from "./claim-transaction.ts";
import { dueConditions } from "./claimable.ts";
import { lastStatement } from "./read-last.ts";

/**
 * Reads due rows in order. Their claim is written in the same short transaction, with its COMMIT: two round trips. Rows
 * are read and not locked, so no producer waits for a claim.
 * Index: (state, order), or the order alone; see table-facts.ts. Without one the optimizer decides.
 * Race: an operator's verb on the same rows. Both take the outbox's lock before the statement that reads, so either the
 * verb sees this claim or this read sees the verb's change.
 */
export function claimStatement(context: StatementContext, reader: RowReader, request: ClaimRequest): string {
  return unsentRows(context, {
    select: [...reader.upTo(inlineBytes(request)), ...agedColumn(context, request)],
    after: request.after,
    where: dueConditions(context, request),
    limit: request.limit,
    among: request.among,
  });
}

/**
 * Largest payload that the read itself returns: even a full page of them fits. Larger ones are fetched once the rows of
 * the claim are chosen; a running sum in the statement would copy every payload.
 */
export function inlineBytes({ maxBytes, limit }: Pick<ClaimRequest, "maxBytes" | "limit">): number {
  return Math.max(1, Math.floor(maxBytes / Math.max(1, limit)));
}

/** Whether a row is old enough, as the last column. */
function agedColumn({ mapping }: StatementContext, { agedMs }: Pick<ClaimRequest, "agedMs">): string[] {
  const { createdAt } = mapping.columns;
  if (agedMs === undefined || !createdAt) return [];
  return [
    `${instantExpression(createdAt, "o")} < UTC_TIMESTAMP(6) - INTERVAL ${Math.round(agedMs * 1000)} MICROSECOND`,
  ];
}

type Row = (string | null)[];

/**
 * The rows of the claim: those before the first that is too young, up to the one whose payload exceeds the limit for
 * all of them. A row that is too young is not skipped: the next read would begin after it, and later rows of its
 * aggregate would overtake it.
 */
export function taken(
  context: RelayContext,
  reader: RowReader,
  rows: readonly Row[],
  request: Pick<ClaimRequest, "agedMs" | "maxBytes">,
): readonly Row[] {
  const judged = agedColumn(context, request).length > 0;
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    const full = index > 0 && bytes >= request.maxBytes;
    bytes += reader.size(row);
    return full || (judged && row.at(-1) !== "1");
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** `RelayTable.claimNew`. Throws LeaseLostError. */
export async function claimNew(context: RelayContext, reader: RowReader, request: ClaimRequest): Promise<ClaimResult> {
  const { lease } = request;
  const { sessions, transactions, facts, guard } = context;
  const token = randomUUID();
  if (request.wantWriters && facts.counts) transactions.sampleWriters();
  const begun = transactions.begin();
  const last = request.wantLast ? lastStatement(context, request.after) : [];
  return sessions.transaction(
    async (session, opened, close) => {
      const horizon = begun.ended();
      const databaseTimeMs = readOpening(opened);
      const [read = [], end] = [opened[2]?.rows, last.length > 0 ? opened[3] : undefined];
      await guard.check(session, opened.at(-1));
      const rows = taken(context, reader, read, request);
      const messages = await messagesOf(context, reader, session, rows);
      const ids = rows.map((row) => reader.id(row));
      await close(messages.length > 0 ? [insertClaim(context, lease, { token, ids })] : []);
      return {
        claim: messages.length > 0 ? { token, messages } : null,
        more: request.agedMs !== undefined || rows.length < read.length || rows.length >= request.limit,
        horizon,
        last: orderOf(end?.rows[0]),
        databaseTimeMs,
      };
    },
    {
      opening: [
        ...claimOpening(context, lease, "TRUE"),
        claimStatement(context, reader, request),
        ...last,
        ...guard.statements,
      ],
    },
  );
}

/** The rows of messages with large payloads. Index: the table's primary key. */
function wholeRows({ mapping, facts }: RelayContext, reader: RowReader, ids: readonly string[]): string {
  return `SELECT ${reader.columns.join(", ")} FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)} WHERE ${hasId(mapping, ids)}`;
}

/** Reads the payloads that were left out, too. */
export async function messagesOf(
  context: RelayContext,
  reader: RowReader,
  session: Session,
  rows: readonly Row[],
): Promise<OutgoingMessage[]> {
  const large = rows.filter((row) => reader.leavesOut(row)).map((row) => reader.id(row));
  const whole = large.length > 0 ? await session.rows(wholeRows(context, reader, large)) : [];
  return assemble(reader, rows, whole);
}

/** Messages in the order of the rows. One whose row another program has removed since is not published. */
function assemble(reader: RowReader, rows: readonly Row[], whole: readonly Row[]): OutgoingMessage[] {
  const fetched = new Map(whole.map((row) => [reader.id(row), row]));
  return rows.flatMap((row) => {
    const found = reader.leavesOut(row) ? fetched.get(reader.id(row)) : row;
    return found ? [reader.read(found)] : [];
  });
}

/** `RelayTable.hasNew`: one statement and no transaction, for mostly idle outboxes. */
export async function hasNew(context: RelayContext, request: ClaimRequest): Promise<boolean> {
  const { after } = request;
  const found = unsentRows(context, { select: ["1"], after, where: dueConditions(context, request), limit: 1 });
  const rows = await context.sessions.single((session) => session.rows(found));
  return rows.length > 0;
}
