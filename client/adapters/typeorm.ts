import type { DataSource, EntityManager } from "typeorm";
import { type Adapter, type Dialect, OPEN, refused, type SqlResult } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import { numbered } from "../sql/statement.ts";

/**
 * TypeORM over Postgres or MySQL. `tx` is the manager of `dataSource.transaction`, or `queryRunner.manager` after
 * `startTransaction`.
 */
export function typeorm({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<EntityManager, DataSource> {
  return {
    name: "TypeORM",
    begins: "transaction",
    dialect,
    run: async (handle, statement) => {
      const isMysql = dialect === "mysql";
      const text = isMysql ? mysqlText(statement) : numbered(statement);
      const values = isMysql ? [] : [...statement.values];
      const runner = "queryRunner" in handle ? handle.queryRunner : undefined;
      if (!runner) return { rows: rowsOf(await handle.query(text, values)) };
      const { records } = await runner.query(text, values, true);
      return { rows: rowsOf(records) };
    },
    stateOf: (handle) => {
      const { queryRunner } = (handle ?? {}) as Partial<EntityManager>;
      return queryRunner?.isTransactionActive
        ? OPEN
        : refused(
            "This TypeORM handle is not in a transaction. Pass the manager of dataSource.transaction(async (manager) => …).",
          );
    },
    transaction: (db, work) => db.transaction(work),
  };
}

function rowsOf(found: unknown): SqlResult["rows"] {
  return Array.isArray(found) ? found : [];
}
