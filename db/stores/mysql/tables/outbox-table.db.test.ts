import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { dead, unknown, waiting } from "#db/stores/shared/states/state-predicates.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { toText } from "../connection/dialect.ts";
import { createPool, type Pool } from "../connection/pool.ts";
import { withSession } from "../connection/transaction.ts";
import { recommendedIndexes } from "../plans/recommended-indexes.ts";
import { textOf } from "./column-values.ts";
import { outboxTable } from "./outbox-table.ts";

const HOSTILE = [
  "Out`box",
  "100%_of ?",
  "getSQL",
  "__proto__",
  "constructor",
  "$1",
  "order, by",
  "back\\slash",
  "nul'l -- ; DROP",
  "Größe",
  "select",
  "_",
];

const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: true, from: "shape" });

/** The hostile name is the table's, the key's and the status column's, and one of its words. */
function mappingOf(schema: string, name: string): OutboxMapping {
  const id = { ...column(name, "bigint"), nullable: false };
  const status = column(`${name} status`, "varchar(60)");
  return {
    table: { schema, name },
    primaryKey: [id],
    columns: {
      id,
      payload: column("payload", "text"),
      status,
      attempts: { ...column(`${name} attempts`, "int"), nullable: false },
    },
    lifecycle: {
      kind: "status",
      column: status,
      ...{ pending: [name], inFlight: [], failed: ["failed"], published: ["sent"], dead: [], expired: [] },
    },
    deadAttempts: 3,
    archiveTable: null,
    shape: "generic",
  };
}

const quote = (name: string) => `\`${name.replaceAll("`", "``")}\``;

describe.each(flavorsFor("mysql"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let pool: Pool;
  beforeAll(() => {
    const { url, own } = database();
    pool = createPool({ url, own, applicationName: "tables", readOnly: false, max: 1, statementTimeoutMs: 5000 });
  });
  afterAll(() => pool?.end());

  test.each(HOSTILE)(
    "a table whose names and words are %s is read, and its advised indexes can be made",
    async (name) => {
      const [table, status, attempts] = [name, `${name} status`, `${name} attempts`].map(quote);
      await database().query(
        `CREATE TABLE ${table} (${table} bigint PRIMARY KEY, payload text, ${status} varchar(60), ${attempts} int NOT NULL, \`not % mapped\` text)`,
      );
      await database().query(
        `INSERT INTO ${table} VALUES (1, 'first', ?, 0, 'yes'), (2, 'second', ?, 3, 'yes'), (3, NULL, 'odd', 0, 'yes')`,
        [name, name],
      );
      const mapping = mappingOf(database().name, name);
      const outbox = outboxTable(mapping);
      await withSession(pool, async (session) => {
        const idsOf = async (where: SQL) => {
          const rows = await session.db
            .select({ id: textOf(outbox, mapping.columns.id) })
            .from(outbox.rows)
            .where(where);
          return rows.map(({ id }) => id);
        };
        expect(await idsOf(waiting(outbox))).toEqual(["1"]);
        expect(await idsOf(dead(outbox))).toEqual(["2"]);
        expect(await idsOf(unknown(outbox))).toEqual(["3"]);
        const statements = [...new Set(recommendedIndexes(mapping).map((index) => index.sql))];
        expect(statements).toHaveLength(2);
        for (const statement of statements) await session.run(statement);
        const other = outbox.column({ name: "not % mapped" });
        expect(await session.rows(sql`SELECT ${other} FROM ${outbox.table} ${outbox.rows} LIMIT 1`)).toEqual([["yes"]]);
      });
    },
  );
});

test("a predicate has its constants in it, and numbers as numbers", () => {
  const predicate = waiting(outboxTable(mappingOf("s", "s"), "o"));
  expect(toText(predicate)).toBe("`o`.`s status` IN ('s', 'failed') AND `o`.`s attempts` < 3");
  const mapping = mappingOf("s", "s");
  const status = { ...column("s status", "smallint"), nullable: false };
  const numbers = { ...mapping, lifecycle: { ...mapping.lifecycle, column: status, pending: ["0"] } } as OutboxMapping;
  expect(toText(waiting(outboxTable(numbers)))).toBe("`t`.`s status` = 0 AND `t`.`s attempts` < 3");
});
