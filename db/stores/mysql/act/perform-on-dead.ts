import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead } from "#db/stores/shared/states/state-predicates.ts";
import type { AppError } from "#domain/errors.ts";
import type { ItemAct } from "../../port/outbox-actions.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { isSameVersion } from "../../port/seen-version.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { HOLD_ENDED } from "../../shared/act/act-sentences.ts";
import { checkPossible } from "../../shared/act/check-possible.ts";
import { requireNotCorrected } from "../../shared/act/correction.ts";
import { refusalOf } from "../../shared/act/refusal-of.ts";
import { requireRuledVerb } from "../../shared/act/ruled-verb.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withSession, withWriteTransaction } from "../connection/transaction.ts";
import { settleActs } from "../own-schema/operation-items.ts";
import { findLocked } from "../read/find-messages.ts";
import { keyIndexOf, readIndexes } from "../tables/indexes.ts";
import { outboxLockSql } from "../tables/outbox-lock.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { actTogether, DONE } from "./act-together.ts";
import { correctedAmong } from "./corrected.ts";
import { leaveClaims } from "./leave-claims.ts";
import { lockDeadInTable, lockDeadLetters } from "./lock-dead.ts";
import { requireWritable } from "./perform-verb.ts";
import { releaseHolds } from "./release-holds.ts";
import { requireAcceptedTable } from "./require-accepted-table.ts";

/**
 * Most payload bytes that one transaction puts back into the table: the server keeps them in its logs until the commit.
 */
const MOST_BYTES = 4 * 1024 * 1024;

export interface DeadTurn {
  /** Results of the first items. */
  acts: ItemAct[];
  /** Number of the next items that are not dead, or are in use: each needs a separate transaction. */
  alone: number;
}

/**
 * Retries or archives dead messages in one transaction, up to the first that is not dead, that has changed since it was
 * seen, or that another session has locked; archives dead letters only. Claims need not wait for the outbox lock,
 * because no claim can reach these messages: a claim leaves out dead ones, and once a retry is committed, only the
 * retry path finds it. Outcomes of items are written with the acts; a message on which the action is refused fails
 * alone. Throws if an item has its outcome already or a statement fails: nothing of it is changed then. `verbs`: of one
 * operation.
 */
export async function performOnDead(pool: Pool, ref: OutboxRef, verbs: readonly VerbRequest[]): Promise<DeadTurn> {
  const retries = verbs[0]?.action === "retry";
  if (retries) await passClaims(pool, ref);
  return withWriteTransaction(pool, async (session) => {
    await requireWritable(session, ref);
    const keyIndex = keyIndexOf(ref.mapping, await readIndexes(session, ref.mapping.table));
    if (keyIndex === null || !session.server.skipLocked) return { acts: [], alone: verbs.length };
    const ids = [...new Set(verbs.map(({ id }) => id))];
    const letters = await lockDeadLetters(session, ref, ids);
    const moved = new Set(letters);
    await requireAcceptedTable(session, ref);
    const others = retries ? ids.filter((id) => !moved.has(id)) : [];
    const staying = await lockDeadInTable(session, ref, { ids: others, keyIndex });
    const found = await findLocked(session, ref, { letters, staying });
    const { acting, alone } = leading(verbs, found);
    return { acts: await actOn(session, ref, { acting, keyIndex }), alone };
  });
}

/**
 * Waits until every open claim transaction is over. A claim that began before a message was seen dead may have read it
 * before another program marked it, and would not be among the claims yet. Messages that the store side records as dead
 * were in no open claim.
 */
async function passClaims(pool: Pool, ref: OutboxRef): Promise<void> {
  if (dead(outboxTable(ref.mapping)) === NEVER) return;
  // Outside a transaction the lock ends with its statement.
  await withSession(pool, (session) => session.rows(outboxLockSql(session.own, ref.name, "exclusive")));
}

interface FoundAction {
  verb: VerbRequest;
  found: FoundMessage;
}

/** The first items, which one transaction acts on, and how many of the following each need a separate one. */
function leading(
  verbs: readonly VerbRequest[],
  found: readonly FoundMessage[],
): { acting: FoundAction[]; alone: number } {
  const left = new Map(found.map((one) => [one.row.id, one]));
  const take = ({ id, version }: VerbRequest) => {
    const one = left.get(id);
    return one && one.row.state === "dead" && isSameVersion(one.row.version, version) ? one : undefined;
  };
  const acting: FoundAction[] = [];
  let bytes = 0;
  for (const verb of verbs) {
    const one = take(verb);
    if (!one) break;
    bytes += one.row.payloadBytes ?? 0;
    if (bytes > MOST_BYTES && acting.length > 0) return { acting, alone: 0 };
    left.delete(verb.id);
    acting.push({ verb, found: one });
  }
  const after = verbs.slice(acting.length);
  const next = after.findIndex(take);
  return { acting, alone: next < 0 ? after.length : next };
}

async function actOn(
  session: Session,
  ref: OutboxRef,
  { acting, keyIndex }: { acting: readonly FoundAction[]; keyIndex: string },
): Promise<ItemAct[]> {
  const [first] = acting;
  if (!first) return [];
  const corrected = await correctedAmong(session, ref, idsOf(acting));
  const failures = new Map<string, AppError>();
  for (const one of acting) {
    const refusal = whyNot(ref, one, corrected.get(one.verb.id));
    if (refusal) failures.set(one.verb.id, refusal);
  }
  const isOpen = ({ verb }: FoundAction) => !failures.has(verb.id);
  const possible = acting.filter(isOpen);
  if (possible.length > 0) {
    await leaveClaims(session, ref, idsOf(possible));
    const found = possible.map((one) => one.found);
    await actTogether(session, ref, { found, request: first.verb, keyIndex, failures });
    await settle(session, ref, possible.filter(isOpen));
  }
  return acting.map(({ verb: { id, item } }) => ({ seq: item?.seq ?? 0, failure: failures.get(id) ?? null }));
}

const idsOf = (acting: readonly FoundAction[]) => acting.map(({ verb }) => verb.id);

/** `copyId`: of a corrected copy that was sent in its place. */
function whyNot(ref: OutboxRef, { verb, found }: FoundAction, copyId: string | undefined): AppError | null {
  return refusalOf(() => {
    checkPossible(found.row, verb);
    requireRuledVerb(ref.mapping, verb.action, found.place);
    requireNotCorrected(verb.action, copyId);
  });
}

async function settle(session: Session, ref: OutboxRef, acted: readonly FoundAction[]): Promise<void> {
  if (acted.length === 0) return;
  const released = await releaseHolds(session, ref, idsOf(acted));
  await settleActs(
    session,
    acted.map(({ verb }) => {
      const done = verb.action === "archive" ? DONE.archive : DONE.retry;
      return { verb, message: released.has(verb.id) ? `${done} ${HOLD_ENDED}` : done };
    }),
  );
}
