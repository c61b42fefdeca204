import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { type AppError, isAppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { DUE_NOW } from "../../shared/act/act-sentences.ts";
import { requireOtherState, statesBefore } from "../../shared/act/require-written.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { findMessages } from "../read/find-messages.ts";
import { leaveClaims } from "./leave-claims.ts";
import { VERBS } from "./perform-verb.ts";
import { releaseHolds } from "./release-holds.ts";
import { bringBack, resetMessages } from "./retry-message.ts";

/** Dead letters with larger payloads go back into their table one at a time, so that a statement stays small. */
const SMALL_BYTES = 64 * 1024;

/** A message that may be acted on, locked by the caller. */
export interface FoundAction {
  found: FoundMessage;
  verb: VerbRequest;
}

export type Acted = FoundAction & { message: string };

/**
 * Acts on messages in the caller's transaction: ordinary retries in a few statements for all, every other action
 * message by message. One that fails takes back only its own changes, and is added to `failures`.
 */
export async function actTogether(
  client: PoolClient,
  ref: OutboxRef,
  acting: readonly FoundAction[],
  failures: Map<string, AppError>,
): Promise<Acted[]> {
  if (acting.length === 0) return [];
  const ids = acting.map(({ found }) => found.row.id);
  await leaveClaims(client, ref, ids);
  const together = acting.filter(({ found, verb }) => isOrdinaryRetry(ref, found, verb));
  const acted = await retryTogether(client, ref, together);
  const done = new Set(acted.map(({ verb }) => verb.id));
  for (const one of acting) {
    if (done.has(one.verb.id)) continue;
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

function isOrdinaryRetry({ mapping }: OutboxRef, { place }: FoundMessage, { action }: VerbRequest): boolean {
  return action === "retry" && !ruledVerb(mapping, "retry") && (place === "table" || place === "dead_letter");
}

/**
 * Returns the retried messages. If one dead letter cannot go back into its table, the statement fails for all: then
 * each half is tried, so that the others need not be retried one by one.
 */
async function retryTogether(client: PoolClient, ref: OutboxRef, together: readonly FoundAction[]): Promise<Acted[]> {
  if (together.length === 0) return [];
  const found = together.map((one) => one.found);
  const failure = await unlessRefused(client, async () => {
    const moved = found.filter(({ place }) => place === "dead_letter");
    for (const some of inSmallStatements(moved)) await bringBack(client, ref, some);
    // All in one statement: relays publish them in its order.
    await resetMessages(client, ref, found);
    await requireOtherStates(client, ref, "retry", found);
  });
  if (!failure) return together.map((one) => ({ ...one, message: DUE_NOW }));
  if (together.length === 1) return [];
  const half = Math.ceil(together.length / 2);
  const first = await retryTogether(client, ref, together.slice(0, half));
  return [...first, ...(await retryTogether(client, ref, together.slice(half)))];
}

/** Throws if a row that was written is in the state from before. */
async function requireOtherStates(
  client: PoolClient,
  ref: OutboxRef,
  action: MessageAction,
  found: readonly FoundMessage[],
): Promise<void> {
  const before = statesBefore(found);
  if (before.size === 0) return;
  for (const { row } of await findMessages(client, ref, [...before.keys()]))
    requireOtherState({ mapping: ref.mapping, action, before: before.get(row.id) ?? "unknown", after: row.state });
}

function inSmallStatements(moved: readonly FoundMessage[]): FoundMessage[][] {
  const isSmall = ({ row }: FoundMessage) => (row.payloadBytes ?? 0) <= SMALL_BYTES;
  const small = moved.filter(isSmall);
  const large = moved.filter((one) => !isSmall(one)).map((one) => [one]);
  return small.length > 0 ? [small, ...large] : large;
}

/** A message that fails takes back only its own changes. */
async function actAlone(client: PoolClient, ref: OutboxRef, { found, verb }: FoundAction): Promise<string | AppError> {
  let message = "";
  const failure = await unlessRefused(client, async () => {
    message = await VERBS[verb.action](client, ref, found, verb);
    await requireOtherStates(client, ref, verb.action, [found]);
  });
  return failure ?? message;
}

/** Undoes the work's changes if it is refused, and returns the refusal; null if it is done. */
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
