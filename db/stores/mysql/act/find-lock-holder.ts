import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { formatDuration } from "#domain/format.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { isForbidden } from "../connection/database-error.ts";
import { inListTurn } from "../connection/list-turn.ts";
import type { Session } from "../connection/session.ts";
import type { StorePools } from "../connection/store-pools.ts";
import { withReadTransaction, withSession } from "../connection/transaction.ts";
import {
  type InnodbTransaction,
  readTransactionsInTurn,
  StaleReadingError,
} from "../diagnosis-facts/sessions/innodb-transactions.ts";
import { readPrograms } from "../diagnosis-facts/sessions/our-sessions.ts";
import { namePrepared } from "../diagnosis-facts/sessions/prepared-names.ts";
import { type RowWait, readRowWaits } from "../diagnosis-facts/sessions/row-waits.ts";
import { keyIs } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const TIMEOUT_MS = 2000;
/** The server shows a wait some time after it began. */
const LOOK_EVERY_MS = 20;

/**
 * Names the session that has locked a message's row, as a clause; undefined if none has, or if it is not known. The
 * server reliably shows a row's lock only while a session waits for it, so one of our sessions waits meanwhile, for 1 s
 * at most.
 */
export function findLockHolder(pools: StorePools, ref: OutboxRef, id: string): Promise<string | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return Promise.resolve(undefined);
  return withReadTransaction(pools.reads(), TIMEOUT_MS, (observer) =>
    // The turn comes first: our session that waits for the row gives up sooner than a turn may come.
    inListTurn(observer, () => withWaiter(pools, ref, keys, (wait) => nameBlocker(observer, ref, wait))),
  );
}

/** Runs `work` while a session of ours waits for the row. */
function withWaiter<T>(
  pools: StorePools,
  { mapping }: OutboxRef,
  keys: NonNullable<ReturnType<typeof keyArrays>>,
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  const { rows } = outboxTable(mapping);
  return withSession(pools.writes(), async (waiter) => {
    const lock = waiter.db.select({ one: sql`1` }).from(rows).where(keyIs(mapping, keys)).for("update");
    let waits = true;
    // Outside a transaction the lock ends with its statement. How the wait ends does not matter: the observer names the
    // blocker.
    const waiting = waiter.rows(lock).then(
      () => undefined,
      () => undefined,
    );
    const ended = waiting.finally(() => {
      waits = false;
    });
    try {
      return await work({ waiter: waiter.id, waits: () => waits });
    } finally {
      await ended;
      // A KILL that came too late would end the next statement of this connection instead.
      await waiter.rows("SELECT 1").catch(() => undefined);
    }
  });
}

interface Wait {
  waiter: number;
  waits: () => boolean;
}

/** The blocking session, and the transactions that were open at the same time; empty if they cannot be read. */
interface Blocker {
  wait: RowWait;
  transactions: InnodbTransaction[];
}

async function nameBlocker(observer: Session, ref: OutboxRef, wait: Wait): Promise<string | undefined> {
  const found = await findBlocker(observer, ref, wait).finally(() => stop(observer, wait));
  if (!found) return undefined;
  const { blocking } = found.wait;
  if (blocking === 0) return clauseOfPrepared(observer, found);
  const programs = await readPrograms(observer);
  const transaction = found.transactions.find(({ connection }) => connection === blocking);
  return clauseOf(blocking, programs.get(blocking), transaction);
}

async function stop(observer: Session, { waiter, waits }: Wait): Promise<void> {
  if (waits()) await observer.run(`KILL QUERY ${waiter}`).catch(() => undefined);
}

/** Undefined if the waiter got the row, or if the server shows no blocker. */
async function findBlocker(observer: Session, ref: OutboxRef, { waiter, waits }: Wait): Promise<Blocker | undefined> {
  const isMariadb = observer.server.flavor === "mariadb";
  for (;;) {
    await delay(LOOK_EVERY_MS);
    if (!waits()) return undefined;
    // MariaDB's waits are part of the same picture.
    const before = isMariadb ? await orUnknown(() => readTransactionsInTurn(observer)) : [];
    const found = before && (await orUnknown(() => readRowWaits(observer, ref.mapping.table)));
    if (!found) return undefined;
    const mine = found.find(({ waiting }) => waiting === waiter);
    if (!mine) continue;
    const transactions = isMariadb ? before : ((await orUnknown(() => readTransactionsInTurn(observer))) ?? []);
    return { wait: mine, transactions };
  }
}

/** Undefined if this user may not read it, or the server gave only an outdated list. */
async function orUnknown<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isForbidden(error) || error instanceof StaleReadingError) return undefined;
    throw error;
  }
}

/** A prepared transaction whose session has ended. */
async function clauseOfPrepared(observer: Session, { wait, transactions }: Blocker): Promise<string | undefined> {
  const detached = transactions.filter(({ isDetached }) => isDetached);
  const name = (await namePrepared(observer, detached)).get(wait.transaction);
  const one = detached.find(({ id }) => id === wait.transaction);
  return name && one
    ? `the prepared transaction ${name.preparedId}, which began ${formatDuration(one.ageSeconds)} ago`
    : undefined;
}

function clauseOf(connection: number, program: string | undefined, transaction: InnodbTransaction | undefined): string {
  const since = transaction ? `, in a transaction that began ${formatDuration(transaction.ageSeconds)} ago` : "";
  const name = program ?? transaction?.user;
  return `connection ${connection}${name ? ` (${name})` : ""}${since}`;
}
