import { randomUUID } from "node:crypto";
import type { Lease } from "../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice, RelayStream, StreamClaim } from "../../port/relay/relay-stream.ts";
import { claimOpening, insertClaim, readOpening } from "../relay/claim/claim-transaction.ts";
import { dueConditions } from "../relay/claim/claimable.ts";
import { hasId, textList } from "../relay/literals.ts";
import { idReader, type RowReader } from "../relay/read-row.ts";
import { ownName, type RelayContext } from "../relay/relay-context.ts";
import { forced } from "../relay/waiting-rows.ts";
import { quoteLiteral, quoteTable, unsentPredicate } from "../tables/mapping-sql.ts";

/** `RelayStream.claim` for messages whose rows say whether they are still to be sent: two round trips. */
export async function claimRows(
  context: RelayContext,
  reader: RowReader,
  { lease, notices }: Parameters<RelayStream["claim"]>[0],
): Promise<StreamClaim> {
  const ids = [...new Set(notices.map(({ id }) => id))];
  const token = randomUUID();
  const found = await context.sessions.transaction(
    async (session, opened, close) => {
      readOpening(opened);
      const messages = new Map((opened[2]?.rows ?? []).map((row) => [reader.id(row), reader.read(row)]));
      await context.guard.check(session, opened.at(-1));
      await close(messages.size > 0 ? [insertClaim(context, lease, { token, ids: [...messages.keys()] })] : []);
      return messages;
    },
    {
      opening: [
        ...claimOpening(context, lease, "TRUE"),
        `${rowsOf(context, reader.columns, ids)} AND ${claimable(context, lease)}`,
        ...context.guard.statements,
      ],
    },
  );
  const missing = ids.filter((id) => !found.has(id));
  const unseen = missing.length > 0 ? await notYetVisible(context, lease, missing) : [];
  return { claim: claimOf(token, notices, (id) => found.get(id)), unseen };
}

/**
 * The same for a table whose rows have no mark and may be gone: claims every message unknown to the store side.
 * Index: primary keys of the four tables. `restored`: a row that an operator restored is no new message.
 */
export async function claimIds(
  context: RelayContext,
  { lease, notices }: Parameters<RelayStream["claim"]>[0],
): Promise<StreamClaim> {
  const { own, outbox } = context;
  const ids = [...new Set(notices.map(({ id }) => id))];
  const token = randomUUID();
  const known = [own.delivery, own.deadLetter, own.archive, own.restored].map(
    (table) =>
      `SELECT message_id FROM ${ownName(table)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`,
  );
  return context.sessions.transaction(
    async (_session, opened, close) => {
      readOpening(opened);
      const kept = new Set(opened[2]?.rows.map(([id]) => id));
      const claimed = ids.filter((id) => !kept.has(id));
      await close(claimed.length > 0 ? [insertClaim(context, lease, { token, ids: claimed })] : []);
      const messages = new Map(notices.map(({ id, message }) => [id, message]));
      return { claim: claimOf(token, notices, (id) => (kept.has(id) ? null : messages.get(id))), unseen: [] };
    },
    { opening: [...claimOpening(context, lease), known.join(" UNION ALL ")] },
  );
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
 * Messages whose transaction was not yet visible to the claim: the log tells of a commit a moment before other sessions
 * see it. A read of uncommitted rows sees the row already; one of committed rows does not, or sees only now that it
 * could be claimed. Neither waits for a lock.
 */
async function notYetVisible(context: RelayContext, lease: Lease, ids: readonly string[]): Promise<string[]> {
  const { columns, id } = idReader(context.mapping);
  const [, written, visible] = await context.sessions.single((session) =>
    session.script([
      "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
      rowsOf(context, columns, ids),
      rowsOf(context, [...columns, claimable(context, lease)], ids),
    ]),
  );
  const decided = new Set((visible?.rows ?? []).filter((row) => row.at(-1) !== "1").map(id));
  return (written?.rows ?? []).map(id).filter((one) => !decided.has(one));
}
