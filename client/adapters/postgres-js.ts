import type { Sql, TransactionSql } from "postgres";
import { type Adapter, OPEN, refused } from "../sql/adapter.ts";
import { numbered } from "../sql/statement.ts";
import { confirmed } from "./drivers/confirmed.ts";

type Types = Record<string, unknown>;

/** postgres.js. `tx` is the `sql` that `sql.begin` hands to its callback; `db` is the root `sql`. */
export function postgresJs(): Adapter<TransactionSql<Types>, Sql<Types>> {
  return {
    name: "postgres.js",
    begins: "begin",
    dialect: "postgres",
    run: async (handle, statement) => {
      const rows = await handle.unsafe(numbered(statement), [...statement.values]);
      return { rows: [...rows] };
    },
    stateOf: (handle) =>
      typeof handle === "function" && "savepoint" in handle
        ? OPEN
        : refused(
            "This sql of postgres.js is not in a transaction. Pass the one that sql.begin(async (tx) => …) gives you.",
          ),
    transaction: (db, work) => confirmed({ root: db, sqlOf: (tx) => tx, begin: (inner) => db.begin(inner) }, work),
    // It rejects a transaction in which a statement has failed, unless the statement was in a savepoint made by
    // postgres.js.
    savepoint: async (tx, work) => (await tx.savepoint((inner) => work(inner))) as Awaited<ReturnType<typeof work>>,
  };
}
