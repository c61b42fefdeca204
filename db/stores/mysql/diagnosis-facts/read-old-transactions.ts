import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { OldTransaction } from "#domain/diagnosis/facts.ts";
import type { Session } from "../connection/session.ts";
import { type InnodbTransaction, readFreshTransactions } from "./innodb-transactions.ts";
import { endSessionSql, isOurs, readPrograms, shownQuery, stateOf } from "./our-sessions.ts";
import { readPrepared } from "./read-prepared.ts";

const MOST = 20;

/**
 * Long-open transactions of sessions in the outbox's database: they keep the server from removing old row versions, and
 * those that have written hold back new rows. Includes prepared transactions, which belong to no session and are easily
 * forgotten. Needs PROCESS.
 */
export async function readOldTransactions(
  session: Session,
  ref: OutboxRef,
  ageSeconds: number,
): Promise<OldTransaction[]> {
  const open = await readFreshTransactions(session);
  const old = open.filter((one) => one.ageSeconds >= ageSeconds);
  if (old.length === 0) return [];
  const programs = await readPrograms(session);
  const { schema } = ref.mapping.table;
  const sessions = old.filter(({ connection, database }) => database === schema && !isOurs(programs.get(connection)));
  const found = sessions.map((one) => ofSession(one, programs.get(one.connection) ?? null));
  const prepared = await readPrepared(
    session,
    old.filter(({ connection }) => connection === 0),
  );
  return [...found, ...prepared]
    .toSorted((one, other) => (one.transactionAt < other.transactionAt ? -1 : 1))
    .slice(0, MOST);
}

function ofSession(one: InnodbTransaction, applicationName: string | null): OldTransaction {
  return {
    pid: one.connection,
    preparedId: null,
    endStatement: endSessionSql(one.connection),
    user: one.user,
    applicationName,
    state: stateOf(one.command),
    transactionAt: one.startedAt,
    query: shownQuery(one.query),
    holdsBackNewRows: one.hasWritten,
  };
}
