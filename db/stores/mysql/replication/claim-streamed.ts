import { randomUUID } from "node:crypto";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import { type Lease, LeaseLostError } from "../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice, RelayStream, StreamClaim } from "../../port/relay/relay-stream.ts";
import { isConnectionError } from "../connection/database-error.ts";
import type { Result, Session } from "../connection/session.ts";
import { fencedOpening, insertClaim } from "../relay/claim/claim-transaction.ts";
import { dueConditions } from "../relay/claim/claimable.ts";
import { isFailed } from "../relay/fail-unless.ts";
import { hasId, textList } from "../relay/literals.ts";
import { idReader, type RowReader } from "../relay/read-row.ts";
import { ownName, type RelayContext } from "../relay/relay-context.ts";
import { forced, quoteLiteral, quoteTable, unsentPredicate } from "../tables/mapping-sql.ts";

/** `RelayStream.claim` for messages whose rows say whether they are still to be sent: one round trip as a rule. */
export async function claimRows(
  context: RelayContext,
  reader: RowReader,
  { lease, notices }: Parameters<RelayStream["claim"]>[0],
): Promise<StreamClaim> {
  const ids = [...new Set(notices.map(({ id }) => id))];
  const { guard } = context;
  const reads = [`${rowsOf(context, reader.columns, ids)} AND ${claimable(context, lease)}`, ...guard.statements];
  return claimThenRead(context, { lease, ids, holds: "TRUE", reads }, async (session, results, narrow) => {
    await guard.check(session, results.at(-1));
    const found = new Map((results[0]?.rows ?? []).map((row) => [reader.id(row), reader.read(row)]));
    const token = await narrow([...found.keys()]);
    const missing = ids.filter((id) => !found.has(id));
    const unseen = missing.length > 0 ? await notYetVisible(context, session, { lease, ids: missing }) : [];
    return { claim: claimOf(token, notices, (id) => found.get(id)), unseen };
  });
}

/**
 * The same for a table whose rows have no mark and may be gone: claims every message unknown to the store side.
 * Index: primary keys of the four tables. `restored`: a row that an operator restored is no new message.
 */
export async function claimIds(
  context: RelayContext,
  { lease, notices }: Parameters<RelayStream["claim"]>[0],
): Promise<StreamClaim> {
  const { own, outbox, guard } = context;
  const ids = [...new Set(notices.map(({ id }) => id))];
  const knownTo = (table: MySqlTable, place = "NULL") =>
    `SELECT message_id, ${place} FROM ${ownName(table)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`;
  const others = [own.deadLetter, own.archive, own.restored].map((table) => knownTo(table));
  const reads = [knownTo(own.delivery, "order_key"), others.join(" UNION ALL ")];
  const places = new Map(notices.map(({ id, order }) => [id, order]));
  // A record with another place in the log belongs to an earlier message of the same id.
  const isSame = ([id, place]: (string | null)[]) => {
    const [transaction, ordinal] = JSON.parse(place ?? "[]");
    const [inLog, inTransaction] = places.get(id ?? "") ?? [];
    return transaction === inLog && ordinal === inTransaction;
  };
  return claimThenRead(context, { lease, ids, holds: guard.holdsSql, reads }, async (_session, results, narrow) => {
    const [recorded, kept] = results.map(({ rows }) => rows);
    const left = new Set([...(recorded ?? []).filter(isSame), ...(kept ?? [])].map(([id]) => id));
    const token = await narrow(ids.filter((id) => !left.has(id)));
    const messages = new Map(notices.map(({ id, message }) => [id, message]));
    return { claim: claimOf(token, notices, (id) => (left.has(id) ? null : messages.get(id))), unseen: [] };
  });
}

/**
 * Claims all messages first and then reads which of them may be sent, in one round trip. The server commits in the
 * order of its log: once the claim is committed, the transactions announced before it are visible. `narrow` removes the
 * other messages from the claim and resolves with its token. If the reads fail, the claim is ended; if that fails too,
 * it stays without a known token. Throws LeaseLostError. Race: an operator's verb on the same rows. It sees the claim
 * and refuses, or it ended before the claim and the read sees its changes.
 */
async function claimThenRead<T>(
  context: RelayContext,
  { lease, ids, holds, reads }: { lease: Lease; ids: readonly string[]; holds: string; reads: readonly string[] },
  work: (session: Session, results: Result[], narrow: (kept: readonly string[]) => Promise<string>) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  const narrowOn = (session: Session) => async (kept: readonly string[]) => {
    if (kept.length < ids.length) await session.run(narrowed(context, token, kept));
    return token;
  };
  try {
    return await context.sessions.onceThenRead(
      [...fencedOpening(context, lease, holds), insertClaim(context, lease, { token, ids })],
      reads,
      (session, results) => work(session, results, narrowOn(session)),
    );
  } catch (error) {
    if (isFailed(error)) throw new LeaseLostError("The lease of this relay is over.");
    if (!isConnectionError(error))
      await context.sessions.single((session) => session.run(narrowed(context, token, []))).catch(() => undefined);
    throw error;
  }
}

/** Statement that leaves only these messages in a claim, or ends it. Index: primary key of claim. */
function narrowed({ own }: RelayContext, token: string, kept: readonly string[]): string {
  const [claim, ofToken] = [ownName(own.claim), `token = ${quoteLiteral(token)}`];
  return kept.length === 0
    ? `DELETE FROM ${claim} WHERE ${ofToken}`
    : `UPDATE ${claim} SET message_ids = ${quoteLiteral(JSON.stringify(kept))} WHERE ${ofToken}`;
}

/** In the order of the notices, each message once. */
function claimOf(
  token: string,
  notices: readonly Notice[],
  messageOf: (id: string) => OutgoingMessage | null | undefined,
): StreamClaim["claim"] {
  const messages: OutgoingMessage[] = [];
  for (const id of new Set(notices.map((notice) => notice.id))) {
    const message = messageOf(id);
    if (message) messages.push(message);
  }
  return messages.length > 0 ? { token, messages } : null;
}

/** Index: the table's primary key. */
function rowsOf({ mapping, facts }: RelayContext, columns: readonly string[], ids: readonly string[]): string {
  return `SELECT ${columns.join(", ")} FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)} WHERE ${hasId(mapping, ids)}`;
}

/** SQL over row `o`, in a form that no index serves: it is still to be sent, and may be now. */
function claimable(context: RelayContext, lease: Lease): string {
  const conditions = [unsentPredicate(context.mapping, "o"), ...dueConditions(context, { lease, excludeIds: [] })];
  return `CASE WHEN ${conditions.join(" AND ")} THEN TRUE ELSE FALSE END`;
}

/**
 * Messages whose transaction was not yet visible to the claim: the log announces a commit a moment before other
 * sessions see it, and without `binlog_order_commits` the claim's commit may finish first. A read of uncommitted rows
 * sees the row already; one of committed rows does not, or sees only now that it could be claimed. Neither waits for a
 * lock.
 */
async function notYetVisible(
  context: RelayContext,
  session: Session,
  { lease, ids }: { lease: Lease; ids: readonly string[] },
): Promise<string[]> {
  const { columns, id } = idReader(context.mapping);
  const [, written, visible] = await session.script([
    "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
    rowsOf(context, columns, ids),
    rowsOf(context, [...columns, claimable(context, lease)], ids),
  ]);
  const decided = new Set((visible?.rows ?? []).filter((row) => row.at(-1) !== "1").map(id));
  return (written?.rows ?? []).map(id).filter((one) => !decided.has(one));
}
