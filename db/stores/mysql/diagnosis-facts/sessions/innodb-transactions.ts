import { sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { inListTurn, readUntilFresh } from "../../connection/list-turn.ts";
import type { Pool } from "../../connection/pool.ts";
import type { Session } from "../../connection/session.ts";
import { instantText } from "../../tables/column-values.ts";

/** An open transaction of InnoDB and its session. */
export interface InnodbTransaction {
  id: string;
  /** 0 where it has no session: see `isDetached`. */
  connection: number;
  /** Prepared by XA, and its session has ended. */
  isDetached: boolean;
  /** Whole seconds. */
  startedAt: string;
  ageSeconds: number;
  hasWritten: boolean;
  /** It has locked a table or rows, of any database. */
  hasLocks: boolean;
  /** Rows that it has locked, and one that it waits for. */
  rowLocks: number;
  user: string | null;
  host: string | null;
  /** The session's default database. */
  database: string | null;
  command: string | null;
  /** Seconds since the session began its statement, or ended its last one. */
  commandSeconds: number | null;
  query: string | null;
}

const TRIES = { tries: 8, longestMs: 1_200 };

/** Every reading got an outdated answer, because other sessions read all the time. */
export class StaleReadingError extends AppError {
  constructor() {
    super("unavailable", "The server gave only an old list of its transactions: other sessions read it all the time.");
  }
}

/**
 * The server's open transactions, other than this one, as of this moment. The caller is in a transaction with a
 * snapshot. Needs PROCESS. Throws StaleReadingError.
 */
export function readFreshTransactions(session: Session): Promise<InnodbTransaction[]> {
  return inListTurn(session, () => readTransactionsInTurn(session));
}

/** As readFreshTransactions, for a session that has the turn, or has waited for it in vain. */
export async function readTransactionsInTurn(session: Session): Promise<InnodbTransaction[]> {
  const isOwn = (row: readonly (string | null)[]) => Number(row[1]) === session.id;
  const read = async (mark: string) => {
    const rows = await session.rows(statementWith(mark));
    return rows.some((row) => isOwn(row) && row[6]?.includes(mark)) ? rows : null;
  };
  const rows = await readUntilFresh(read, TRIES);
  if (rows === null) throw new StaleReadingError();
  return rows.filter((row) => !isOwn(row)).map(transactionOf);
}

/** How long the outboxes of a store share a list, ms. */
const SHARED_MS = 2_000;
const shared = new WeakMap<Pool, { open: InnodbTransaction[]; readAtMs: number; usedBy: Set<string> }>();

/**
 * As readFreshTransactions, or up to 2 s older if another outbox of the store has read it: for facts about transactions
 * that have been open for long. Outboxes that read one after the other would each wait until the server refreshes its
 * list. One that has seen a list gets a newer one.
 */
export async function readRecentTransactions(
  pool: Pool,
  outbox: string,
  session: Session,
): Promise<InnodbTransaction[]> {
  const last = shared.get(pool);
  if (last && performance.now() - last.readAtMs < SHARED_MS && !last.usedBy.has(outbox)) {
    last.usedBy.add(outbox);
    return last.open;
  }
  const open = await readFreshTransactions(session);
  shared.set(pool, { open, readAtMs: performance.now(), usedBy: new Set([outbox]) });
  return open;
}

/** `trx_started` is in the server's own time zone. */
function statementWith(mark: string) {
  const started = sql`CONVERT_TZ(x.trx_started, 'SYSTEM', '+00:00')`;
  return sql`SELECT ${sql.raw(`/* ${mark} */`)} x.trx_id, x.trx_mysql_thread_id, ${instantText(started)}, TIMESTAMPDIFF(SECOND, ${started}, UTC_TIMESTAMP()),
      x.trx_rows_modified, x.trx_tables_locked, LEFT(x.trx_query, 100), x.trx_rows_locked,
      p.user, p.host, p.db, p.command, p.time, LEFT(p.info, 2000), x.trx_state = 'ROLLING BACK'
    FROM information_schema.innodb_trx x LEFT JOIN information_schema.processlist p ON p.id = x.trx_mysql_thread_id`;
}

function transactionOf(row: readonly (string | null)[]): InnodbTransaction {
  const [id, connection, startedAt, age, modified, tables, , rows, user, host, database, command, time, query, ends] =
    row;
  const hasLocks = Number(tables) + Number(rows) + Number(modified) > 0;
  return {
    id: id ?? "",
    connection: Number(connection),
    // After a crash the server rolls back unprepared transactions; its internal transactions lock no user's rows.
    isDetached: Number(connection) === 0 && hasLocks && ends !== "1",
    startedAt: startedAt ?? "",
    ageSeconds: Number(age),
    hasWritten: Number(modified) > 0,
    hasLocks,
    rowLocks: Number(rows),
    user: user ?? null,
    host: host?.replace(/:\d+$/, "") ?? null,
    database: database ?? null,
    command: command ?? null,
    commandSeconds: time === null || time === undefined ? null : Number(time),
    query: query ?? null,
  };
}
