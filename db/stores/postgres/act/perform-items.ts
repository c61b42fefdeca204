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
import { checkPossible, VERBS } from "./perform-verb.ts";
import { releaseHolds } from "./release-holds.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";
import { resetMessages } from "./retry-message.ts";

interface Acting {
  found: FoundMessage;
  verb: VerbRequest;
}

/**
 * Performs the same action on many messages in one transaction, under the rules of performVerb: the exclusive outbox
 * lock, row locks, versions. Outcomes of items are written in it; a message on which the action is not possible fails
 * alone. Throws, and changes nothing, if an item has its outcome already or a statement fails.
 */
export function performItems(pool: Pool, ref: OutboxRef, verbs: readonly VerbRequest[]): Promise<ItemAct[]> {
  return withWriteTransaction(pool, async (client) => {
    await lockOutbox(client, ref.name, "exclusive");
    await requireAcceptedTable(client, ref);
    const ids = verbs.map(({ id }) => id);
    const locked = await lockRows(client, ref, ids);
    const found = new Map((await findMessages(client, ref, ids)).map((one) => [one.row.id, one]));
    const retried = verbs.filter(({ action }) => action === "retry").map(({ id }) => id);
    const corrected = retried.length > 0 ? await correctedAmong(client, ref, retried) : new Map<string, string>();
    const failures = new Map<string, AppError>();
    const possible: Acting[] = [];
    for (const verb of verbs) {
      const refusal = whyNot(ref, {
        found: found.get(verb.id),
        verb,
        locked: locked.has(verb.id),
        copyId: corrected.get(verb.id),
      });
      if (refusal) failures.set(verb.id, refusal);
      else possible.push({ found: found.get(verb.id) as FoundMessage, verb });
    }
    const acted = await act(client, ref, possible, failures);
    await settleActs(
      client,
      acted.map(({ verb, message }) => ({ verb, message })),
    );
    return verbs.map(({ id, item }) => ({ seq: item?.seq ?? 0, failure: failures.get(id) ?? null }));
  });
}

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
  if (!found) return new AppError("not_found", "This message is not there any more.");
  if (found.place === "table" && !locked) return new AppError("locked", "Another session has locked this message.");
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
  const together = acting.filter(
    ({ found, verb }) => verb.action === "retry" && found.place === "table" && !ruledVerb(ref.mapping, "retry"),
  );
  const acted: (Acting & { message: string })[] = [];
  if (together.length > 0) {
    await resetMessages(
      client,
      ref,
      together.map(({ found }) => found),
    );
    acted.push(...together.map((one) => ({ ...one, message: "Due now; attempts reset to 0." })));
  }
  for (const one of acting.filter((candidate) => !together.includes(candidate))) {
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

/** A message that fails takes back only its own changes. */
async function actAlone(client: PoolClient, ref: OutboxRef, { found, verb }: Acting): Promise<string | AppError> {
  const db = queryOn(client);
  await db.execute(sql`SAVEPOINT item`);
  try {
    const message = await VERBS[verb.action](client, ref, found, verb);
    await db.execute(sql`RELEASE SAVEPOINT item`);
    return message;
  } catch (error) {
    if (!isAppError(error)) throw error;
    await db.execute(sql`ROLLBACK TO SAVEPOINT item`);
    return error;
  }
}
