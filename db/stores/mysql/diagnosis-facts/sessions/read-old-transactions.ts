import { sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { OldTransaction } from "#domain/diagnosis/facts/sessions.ts";
import { isForbidden } from "../../connection/database-error.ts";
import type { Session } from "../../connection/session.ts";
import { type InnodbTransaction, readFreshTransactions } from "./innodb-transactions.ts";
import { endSessionSql, isOurs, readPrograms, shownQuery, stateOf } from "./our-sessions.ts";
import { namePrepared, type PreparedName } from "./prepared-names.ts";

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
  openTransactions: (session: Session) => Promise<InnodbTransaction[]> = readFreshTransactions,
): Promise<OldTransaction[]> {
  const open = await openTransactions(session);
  const old = open.filter((one) => one.ageSeconds >= ageSeconds);
  if (old.length === 0) return [];
  const programs = await readPrograms(session);
  const { schema } = ref.mapping.table;
  const sessions = old.filter(({ connection, database }) => database === schema && !isOurs(programs.get(connection)));
  const found = sessions.map((one) => ofSession(one, programs.get(one.connection) ?? null));
  const names = await namePrepared(
    session,
    open.filter(({ isDetached }) => isDetached),
  );
  const ofDatabase = await readLockingIn(session, schema);
  const prepared = old
    .filter(({ id }) => ofDatabase === null || ofDatabase.has(id))
    .flatMap((one) => ofPrepared(one, names.get(one.id)));
  return [...found, ...prepared]
    .toSorted((one, other) => (one.transactionAt < other.transactionAt ? -1 : 1))
    .slice(0, MOST);
}

/**
 * Transactions that have locks in a database, by their number; null where the server does not say, or not to this user.
 */
async function readLockingIn(session: Session, schema: string): Promise<ReadonlySet<string> | null> {
  if (session.server.flavor === "mariadb") return null;
  try {
    const rows = await session.rows(
      sql`SELECT DISTINCT engine_transaction_id FROM performance_schema.data_locks WHERE object_schema = ${schema} AND lock_type = 'TABLE'`,
    );
    return new Set(rows.map(([id]) => id ?? ""));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return null;
  }
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

function ofPrepared({ startedAt }: InnodbTransaction, name: PreparedName | undefined): OldTransaction[] {
  if (name === undefined) return [];
  return [
    {
      ...{ pid: null, ...name, user: null, applicationName: null, state: "prepared" },
      ...{ transactionAt: startedAt, query: null, holdsBackNewRows: true },
    },
  ];
}
