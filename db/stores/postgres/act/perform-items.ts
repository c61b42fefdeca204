import type { Pool, PoolClient } from "pg";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { AppError } from "#domain/errors.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import type { ItemAct } from "../../port/outbox-actions.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { checkPossible } from "../../shared/act/check-possible.ts";
import { requireNotCorrected } from "../../shared/act/correction.ts";
import { refusalOf } from "../../shared/act/refusal-of.ts";
import { requireRuledVerb } from "../../shared/act/ruled-verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { flushCommit, withWriteTransaction } from "../connection/transaction.ts";
import { settleActs } from "../own-schema/operation-items.ts";
import { keyIs } from "../read/find-message.ts";
import { findDead, findMessages } from "../read/find-messages.ts";
import { messageId } from "../tables/message-key.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { actTogether, type FoundAction } from "./act-together.ts";
import { correctedAmong } from "./corrected.ts";
import { lockDeadInTable, lockDeadLetters } from "./lock-dead-letters.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";

/**
 * Claims of the outbox wait while so many messages are acted on, some 5 ms: with 25, live messages wait half a second.
 */
const UNDER_THE_LOCK = 10;

interface Looked {
  /** Messages whose rows this transaction has locked. */
  locked: ReadonlySet<string>;
  found: ReadonlyMap<string, FoundMessage>;
}

/**
 * Performs the same action on many messages, under the rules of performVerb: row locks, versions, and the exclusive
 * outbox lock wherever a relay could claim one of the messages meanwhile. Dead messages that are retried need no outbox
 * lock, and all of them are one transaction; of others, ten are. Outcomes of items are written with the acts; a message
 * on which the action is not possible fails alone. Throws if an item has its outcome already or a statement fails:
 * outcomes passed to `done` by then are committed, and no other message is changed.
 */
export async function performItems(
  pool: Pool,
  ref: OutboxRef,
  { verbs, done }: { verbs: readonly VerbRequest[]; done: (acts: readonly ItemAct[]) => void },
): Promise<void> {
  if (verbs.every(({ action }) => action === "retry")) {
    const acts = await withWriteTransaction(pool, (client) => performOnDead(client, ref, verbs), UNFLUSHED);
    if (acts) return done(acts);
  }
  for (let from = 0; from < verbs.length; from += UNDER_THE_LOCK) {
    const some = verbs.slice(from, from + UNDER_THE_LOCK);
    done(await withWriteTransaction(pool, (client) => performLocked(client, ref, some), UNFLUSHED));
  }
}

/**
 * A crash of the server takes back an act together with its outcome: the item is acted on again. Claims wait for the
 * outbox lock until the commit is over, so it does not wait for the disk, unless a dead message is retried.
 */
const UNFLUSHED = { flush: false } as const;

/**
 * Retries messages that no claim can reach while they are dead: a claim excludes messages that the store side records
 * as dead, and from the commit on only the path of retries finds them. So claims need not wait. Returns null and
 * changes nothing unless all are such messages and ours.
 */
async function performOnDead(
  client: PoolClient,
  ref: OutboxRef,
  verbs: readonly VerbRequest[],
): Promise<ItemAct[] | null> {
  const ids = [...new Set(verbs.map(({ id }) => id))];
  const letters = await lockDeadLetters(client, ref, ids);
  const moved = new Set(letters);
  const staying = ids.filter((id) => !moved.has(id));
  if ((await lockDeadInTable(client, ref, staying)).length < staying.length) return null;
  await requireAcceptedTable(client, ref);
  const rows = staying.length > 0 ? await lockRows(client, ref, staying) : new Set<string>();
  const found = await findDead(client, ref, { letters, staying });
  if (rows.size < staying.length || found.length < ids.length) return null;
  const looked = { locked: new Set(ids), found: new Map(found.map((one) => [one.row.id, one])) };
  return actOn(client, ref, verbs, looked);
}

async function performLocked(client: PoolClient, ref: OutboxRef, verbs: readonly VerbRequest[]): Promise<ItemAct[]> {
  const ids = verbs.map(({ id }) => id);
  // Before the table is touched: with a lock on it, waiting for the outbox's lock can deadlock with an ALTER TABLE.
  await lockOutbox(client, ref.name, "exclusive");
  await requireAcceptedTable(client, ref);
  let looked = await lookAt(client, ref, ids);
  // A message that was not found may just have moved from one place to another.
  if (ids.some((id) => !looked.found.has(id))) looked = await lookAt(client, ref, ids);
  return actOn(client, ref, verbs, looked);
}

async function actOn(
  client: PoolClient,
  ref: OutboxRef,
  verbs: readonly VerbRequest[],
  looked: Looked,
): Promise<ItemAct[]> {
  const retried = verbs.filter(({ action }) => action === "retry").map(({ id }) => id);
  const corrected = retried.length > 0 ? await correctedAmong(client, ref, retried) : new Map<string, string>();
  const failures = new Map<string, AppError>();
  const possible: FoundAction[] = [];
  for (const verb of verbs) {
    const { id } = verb;
    const found = looked.found.get(id);
    const refusal = whyNot(ref, { found, verb, locked: looked.locked.has(id), copyId: corrected.get(id) });
    if (refusal || !found) failures.set(id, refusal ?? notThere());
    else possible.push({ found, verb });
  }
  const acted = await actTogether(client, ref, possible, failures);
  // From the commit on a relay may publish it, and claims are not flushed: it would be dead again although it was
  // published.
  if (acted.some(({ found, verb }) => verb.action === "retry" && found.row.state === "dead")) await flushCommit(client);
  await settleActs(
    client,
    acted.map(({ verb, message }) => ({ verb, message })),
  );
  return verbs.map(({ id, item }) => ({ seq: item?.seq ?? 0, failure: failures.get(id) ?? null }));
}

/** Locks what no other session has locked, and reads all. */
async function lookAt(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<Looked> {
  const locked = new Set([...(await lockDeadLetters(client, ref, ids)), ...(await lockRows(client, ref, ids))]);
  return { locked, found: new Map((await findMessages(client, ref, ids)).map((one) => [one.row.id, one])) };
}

const notThere = () => new AppError("not_found", "This message is not there any more.");

/** Rows that another session has locked are left out. */
async function lockRows(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<Set<string>> {
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const keys = ids.map((id) => decodeMessageId(id, mapping.primaryKey.length));
  const rows = await queryOn(client)
    .select({ id: messageId(outbox) })
    .from(outbox.rows)
    .where(keyIs(mapping, keyParameters(keys, mapping.primaryKey.length)))
    .for("update", { skipLocked: true });
  return new Set(rows.map(({ id }) => id));
}

interface Judged {
  found: FoundMessage | undefined;
  verb: VerbRequest;
  locked: boolean;
  /** Of a corrected copy that was sent in its place. */
  copyId: string | undefined;
}

function whyNot(ref: OutboxRef, { found, verb, locked, copyId }: Judged): AppError | null {
  if (!found) return notThere();
  if (found.place !== "archive" && !locked) return new AppError("locked", "Another session has locked this message.");
  return refusalOf(() => {
    checkPossible(found.row, verb);
    requireRuledVerb(ref.mapping, verb.action, found.place);
    requireNotCorrected(verb.action, copyId);
  });
}
