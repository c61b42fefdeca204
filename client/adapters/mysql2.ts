import type { Connection, Pool, PoolConnection } from "mysql2/promise";
import { ClientError } from "../errors.ts";
import { type Adapter, refused, UNKNOWN } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";

/**
 * In place of settings of the pool that give rows as lists, as one object for each table, or with bytes for numbers.
 */
const USUAL_ROWS = { rowsAsArray: false, nestTables: false, typeCast: true };

/** For code without types: such a handle answers through functions, and without one not at all. */
function requirePromises(handle: object): void {
  if ("promise" in handle)
    throw new ClientError(
      "invalid_input",
      "This handle of mysql2 works with callbacks: pass its promise(), or open it with mysql2/promise.",
    );
}

/**
 * mysql2 (`mysql2/promise`). `tx` is the connection after `beginTransaction`; `db` is a pool. MySQL's connections do
 * not say whether they are in a transaction, so each call asks the database.
 */
export function mysql2(): Adapter<Connection, Pool> {
  return {
    name: "mysql2",
    begins: "getConnection",
    dialect: "mysql",
    run: async (handle, statement) => {
      requirePromises(handle);
      const [result] = await handle.query({ sql: mysqlText(statement), ...USUAL_ROWS });
      return { rows: Array.isArray(result) ? (result as Record<string, unknown>[]) : [] };
    },
    stateOf: (handle) => {
      if (typeof handle !== "object" || handle === null || !("beginTransaction" in handle))
        return refused(
          "This is no connection of mysql2/promise. Pass the one on which you awaited beginTransaction().",
        );
      if ("promise" in handle)
        return refused("This connection of mysql2 works with callbacks. Pass its promise(), after beginTransaction().");
      return UNKNOWN;
    },
    transaction: async (db, work) => {
      requirePromises(db);
      const connection = await db.getConnection();
      try {
        // A deadlock ends the transaction: later writes of the work then belong to the next one, and are not committed
        // alone.
        await connection.query("SET autocommit = 0");
        const result = await work(connection);
        await connection.commit();
        await giveBack(connection);
        return result;
      } catch (error) {
        await connection.rollback().then(
          () => giveBack(connection),
          () => connection.destroy(),
        );
        throw error;
      }
    },
  };
}

/**
 * Never rejects: the transaction has ended, and a connection that stayed without autocommit would lose the next user's
 * work.
 */
async function giveBack(connection: PoolConnection): Promise<void> {
  await connection.query("SET autocommit = DEFAULT").then(
    () => connection.release(),
    () => connection.destroy(),
  );
}
