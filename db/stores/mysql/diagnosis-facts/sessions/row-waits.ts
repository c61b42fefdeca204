import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import { dialect } from "../../connection/dialect.ts";
import type { Rows, Session } from "../../connection/session.ts";

/** A session that waits for a row, and who has locked it. */
export interface RowWait {
  /** A connection. */
  waiting: number;
  /** A connection; 0 for a prepared transaction without a session. */
  blocking: number;
  /** The number of the holder's transaction in InnoDB. */
  transaction: string;
  /** The lock that is held, in the server's word. */
  mode: string;
}

/**
 * Sessions that wait for rows of a table, and their blockers. On MySQL as of now; on MariaDB as of the last reading of
 * `readFreshTransactions`, and it needs PROCESS.
 */
export async function readRowWaits(session: Session, table: TableName): Promise<RowWait[]> {
  const rows = await session.rows(session.server.flavor === "mariadb" ? ofMariadb(table) : ofMysql(table));
  return withoutDoubt(rows).map(([waiting, blocking, mode, transaction]) => ({
    waiting: Number(waiting),
    blocking: Number(blocking),
    transaction: transaction ?? "",
    mode: mode ?? "",
  }));
}

/** MariaDB gives every transaction with only shared row locks the number 0: among several, the blocker is unknown. */
function withoutDoubt(rows: Rows): Rows {
  const shared = rows.filter(([, , , transaction]) => transaction === "0");
  const isDoubtful = new Set(shared.map(([, blocking]) => blocking)).size > 1;
  return isDoubtful ? rows.filter((row) => !shared.includes(row)) : rows;
}

/**
 * A request that queues ahead of another also blocks it; only granted locks count. A row's lock names the thread that
 * made its entry, which is another session's once an insert has moved the row. The lock on the table, which its
 * transaction holds as well, names the transaction's own thread.
 */
function ofMysql({ schema, name }: TableName): SQL {
  const owners = sql`(SELECT DISTINCT engine_transaction_id, thread_id FROM performance_schema.data_locks
    WHERE object_schema = ${schema} AND object_name = ${name} AND lock_type = 'TABLE')`;
  return sql`SELECT DISTINCT w.processlist_id, COALESCE(b.processlist_id, 0), held.lock_mode, held.engine_transaction_id
    FROM performance_schema.data_lock_waits waits
    JOIN performance_schema.data_locks held ON held.engine_lock_id = waits.blocking_engine_lock_id AND held.lock_status = 'GRANTED'
    JOIN ${owners} wants ON wants.engine_transaction_id = waits.requesting_engine_transaction_id
    JOIN ${owners} has ON has.engine_transaction_id = waits.blocking_engine_transaction_id
    JOIN performance_schema.threads w ON w.thread_id = wants.thread_id
    LEFT JOIN performance_schema.threads b ON b.thread_id = has.thread_id
    WHERE held.object_schema = ${schema} AND held.object_name = ${name}`;
}

/** The name of a table as InnoDB prints it, with its partition after it. */
function ofMariadb({ schema, name }: TableName): SQL {
  const printed = `${dialect.escapeName(schema)}.${dialect.escapeName(name)}`;
  return sql`SELECT DISTINCT w.trx_mysql_thread_id, b.trx_mysql_thread_id, held.lock_mode, b.trx_id
    FROM information_schema.innodb_lock_waits waits
    JOIN information_schema.innodb_locks held ON held.lock_id = waits.blocking_lock_id
    JOIN information_schema.innodb_trx w ON w.trx_id = waits.requesting_trx_id AND w.trx_state = 'LOCK WAIT'
    JOIN information_schema.innodb_trx b ON b.trx_id = waits.blocking_trx_id
    WHERE b.trx_mysql_thread_id <> w.trx_mysql_thread_id AND b.trx_rows_locked > 0
      AND (held.lock_table = ${printed} OR LEFT(held.lock_table, ${printed.length + 1}) = ${`${printed} `})`;
}
