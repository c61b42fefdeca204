import { sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import { AppError } from "#domain/errors.ts";
import type { Session } from "../../connection/session.ts";
import { outboxTable } from "../../tables/outbox-table.ts";
import { type InnodbTransaction, readFreshTransactions } from "./innodb-transactions.ts";
import { sessionOf } from "./lock-sessions.ts";
import { isOurs, readPrograms } from "./our-sessions.ts";
import { namePrepared } from "./prepared-names.ts";
import { readRowWaits } from "./row-waits.ts";

/** There are locks, and the server does not say on what. */
class UnknownHoldersError extends AppError {
  constructor() {
    super(
      "unavailable",
      "A transaction in this database holds locks, and the server does not say on which rows: it keeps that only with performance_schema and its instrument wait/lock/metadata/sql/mdl.",
    );
  }
}

/**
 * The same on a server that shows no metadata locks, as MariaDB by default. It names a holder only while a session
 * waits for it. Without a wait only one thing is certain: no session holds a lock if no transaction of the database has
 * locks. Does not see LOCK TABLES … READ. Waits up to 1 s for the table: a lock that blocks readers is an error here.
 * Needs PROCESS. Throws UnknownHoldersError.
 */
export async function readContestedLocks(
  session: Session,
  { mapping }: OutboxRef,
  heldSeconds: number,
): Promise<LockHolder[]> {
  await session.rows(sql`SELECT 1 FROM ${outboxTable(mapping).table} LIMIT 1`);
  const open = await readFreshTransactions(session);
  const old = open.filter(({ hasLocks, ageSeconds }) => hasLocks && ageSeconds >= heldSeconds);
  if (old.length === 0) return [];
  const waits = await readRowWaits(session, mapping.table);
  const programs = await readPrograms(session);
  const others = old.filter(({ connection }) => !isOurs(programs.get(connection)));
  const waitsFor = (one: InnodbTransaction) =>
    waits.filter(
      ({ blocking, transaction }) => blocking === one.connection && (blocking !== 0 || transaction === one.id),
    );
  const blocks = (one: InnodbTransaction) => waitsFor(one).length > 0;
  // A session that waits for its first row holds none.
  const onlyWaits = ({ connection, rowLocks, hasWritten }: InnodbTransaction) =>
    rowLocks <= 1 && !hasWritten && waits.some(({ waiting }) => waiting === connection);
  const silent = others.filter((one) => one.database === mapping.table.schema && !blocks(one) && !onlyWaits(one));
  if (silent.length > 0) throw new UnknownHoldersError();
  const names = await namePrepared(
    session,
    open.filter(({ isDetached }) => isDetached),
  );
  return others.filter(blocks).map((one) => {
    const { ageSeconds: _, transactionKnown: __, ...session_ } = sessionOf(one);
    const mine = waitsFor(one);
    return {
      ...session_,
      ...(one.isDetached ? { pid: null, state: "prepared", ...names.get(one.id) } : {}),
      applicationName: programs.get(one.connection) ?? null,
      mode: mine[0]?.mode ?? "",
      wholeTable: false,
      keepsOutReaders: false,
      rows: null,
      blockedPids: [...new Set(mine.map(({ waiting }) => waiting))].toSorted((left, right) => left - right),
    };
  });
}
