import { sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import { AppError, isAppError } from "#domain/errors.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import type { ItemAct } from "../../port/outbox-actions.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { requireNotCorrected } from "../../shared/correction.ts";
import { requireRuledVerb, ruledVerb } from "../../shared/ruled-verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { settleActs } from "../own-schema/operation-items.ts";
import { type FoundMessage, keyIs } from "../read/find-message.ts";
import { findMessages } from "../read/find-messages.ts";
import { keyParameters, messageId } from "../tables/message-key.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { correctedAmong } from "./corrected.ts";
import { leaveClaims } from "./leave-claims.ts";
import { lockDeadLetters } from "./lock-dead-letters.ts";
import { checkPossible, VERBS } from "./perform-verb.ts";
import { releaseHolds } from "./release-holds.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";
import { bringBack, resetMessages } from "./retry-message.ts";

/** Dead letters with larger payloads go back into their table one at a time, so that a statement stays small. */
const SMALL_BYTES = 64 * 1024;

interface Acting {
  found: FoundMessage;
  verb: VerbRequest;
}

interface Looked {
  /** Messages whose rows this transaction has locked. */
  locked: Set<string>;
  found: Map<string, FoundMessage>;
}

/**
 * Performs the same action on many messages in one transaction, under the rules of performVerb: row locks, versions, and
 * the exclusive outbox lock wherever a relay could claim one of the messages meanwhile. Outcomes of items are written in
 * it; a message on which the action is not possible fails alone. Throws, and changes nothing, if an item has its outcome
 * already or a statement fails.
 */
export function performItems(pool: Pool, ref: OutboxRef, verbs: readonly VerbRequest[]): Promise<ItemAct[]> {
  return withWriteTransaction(pool, async (client) => {
    const ids = verbs.map(({ id }) => id);
    // Before the table is touched: whoever holds a lock of it and waits for the outbox' lock closes a circle with an ALTER TABLE.
    if (!(await areOutOfReach(client, ref, verbs))) await lockOutbox(client, ref.name, "exclusive");
    await requireAcceptedTable(client, ref);
    let looked = await lookAt(client, ref, ids);
    // One that was not found may have been on its way from one place to another.
    if (ids.some((id) => !looked.found.has(id))) looked = await lookAt(client, ref, ids);
    const retried = verbs.filter(({ action }) => action === "retry").map(({ id }) => id);
    const corrected = retried.length > 0 ? await correctedAmong(client, ref, retried) : new Map<string, string>();
    const failures = new Map<string, AppError>();
    const possible: Acting[] = [];
    for (const verb of verbs) {
      const { id } = verb;
      const found = looked.found.get(id);
      const refusal = whyNot(ref, { found, verb, locked: looked.locked.has(id), copyId: corrected.get(id) });
      if (refusal || !found) failures.set(id, refusal ?? notThere());
      else possible.push({ found, verb });
    }
    const acted = await act(client, ref, possible, failures);
    await settleActs(
      client,
      acted.map(({ verb, message }) => ({ verb, message })),
    );
    return verbs.map(({ id, item }) => ({ seq: item?.seq ?? 0, failure: failures.get(id) ?? null }));
  });
}

/** Locks what no other session has locked, and reads all. */
async function lookAt(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<Looked> {
  const locked = new Set([...(await lockDeadLetters(client, ref, ids)), ...(await lockRows(client, ref, ids))]);
  return { locked, found: new Map((await findMessages(client, ref, ids)).map((one) => [one.row.id, one])) };
}

/**
 * Locks the dead letters among them. True if all are to come back and are ours now: a claim reads the table, where they are
 * not, and from the commit on the path of retries alone finds them. So claims need not wait for a retry of very many.
 */
async function areOutOfReach(client: PoolClient, ref: OutboxRef, verbs: readonly VerbRequest[]): Promise<boolean> {
  if (verbs.some(({ action }) => action !== "retry")) return false;
  const ids = new Set(verbs.map(({ id }) => id));
  return (await lockDeadLetters(client, ref, [...ids])).length === ids.size;
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
  try {
    checkPossible(found, verb);
    requireRuledVerb(ref.mapping, verb.action, found.place);
    requireNotCorrected(verb.action, copyId);
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

/** Ordinary retries go in a few statements for all; every other action message by message. */
async function act(
  client: PoolClient,
  ref: OutboxRef,
  acting: readonly Acting[],
  failures: Map<string, AppError>,
): Promise<(Acting & { message: string })[]> {
  if (acting.length === 0) return [];
  const ids = acting.map(({ found }) => found.row.id);
  await leaveClaims(client, ref, ids);
  const together = acting.filter(({ found, verb }) => isOrdinaryRetry(ref, found, verb));
  const acted = await retryTogether(client, ref, together);
  const alone = acted.length > 0 ? acting.filter((one) => !together.includes(one)) : acting;
  for (const one of alone) {
    const message = await actAlone(client, ref, one);
    if (isAppError(message)) failures.set(one.verb.id, message);
    else acted.push({ ...one, message });
  }
  await releaseHolds(
    client,
    ref,
    acted.map(({ found }) => found.row.id),
  );
  return acted;
}

function isOrdinaryRetry({ mapping }: OutboxRef, { place, row }: FoundMessage, { action }: VerbRequest): boolean {
  if (action !== "retry" || ruledVerb(mapping, "retry")) return false;
  return place === "table" || (place === "dead_letter" && (row.payloadBytes ?? 0) <= SMALL_BYTES);
}

/** Empty, with nothing changed, if one of the dead letters cannot go back into its table: each is then tried alone. */
async function retryTogether(
  client: PoolClient,
  ref: OutboxRef,
  together: readonly Acting[],
): Promise<(Acting & { message: string })[]> {
  if (together.length === 0) return [];
  const found = together.map((one) => one.found);
  const failure = await unlessRefused(client, async () => {
    const moved = found.filter(({ place }) => place === "dead_letter");
    if (moved.length > 0) await bringBack(client, ref, moved);
    await resetMessages(client, ref, found);
  });
  return failure ? [] : together.map((one) => ({ ...one, message: "Due now; attempts reset to 0." }));
}

/** A message that fails takes back only its own changes. */
async function actAlone(client: PoolClient, ref: OutboxRef, { found, verb }: Acting): Promise<string | AppError> {
  let message = "";
  const failure = await unlessRefused(client, async () => {
    message = await VERBS[verb.action](client, ref, found, verb);
  });
  return failure ?? message;
}

/** Takes back what the work has changed if it is refused, and returns the refusal; null if it is done. */
async function unlessRefused(client: PoolClient, work: () => Promise<void>): Promise<AppError | null> {
  const db = queryOn(client);
  await db.execute(sql`SAVEPOINT item`);
  try {
    await work();
    await db.execute(sql`RELEASE SAVEPOINT item`);
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    await db.execute(sql`ROLLBACK TO SAVEPOINT item`);
    return error;
  }
}
