import { eq, type SQL, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { dead, unknown, waiting } from "#db/stores/shared/states/state-predicates.ts";
import { testDatabase } from "#tests/postgres.ts";
import { toIndexText, toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { recommendedIndexes } from "../plans/recommended-indexes.ts";
import { textOf } from "./column-values.ts";
import { outboxTable } from "./outbox-table.ts";

const database = testDatabase("empty");

const HOSTILE = [
  'Out"box',
  "100%_of ?",
  "getSQL",
  "__proto__",
  "constructor",
  "$1",
  "order, by",
  "back\\slash",
  "nul'l -- ; DROP",
  "Größe 😀",
  "a.b",
  "_",
];

const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: true, from: "shape" });

/** The hostile name is the schema's, the table's, the key's and the status column's, and one of its words. */
function mappingOf(name: string): OutboxMapping {
  const id = { ...column(name, "bigint"), nullable: false };
  const status = column(`${name} status`, "text");
  return {
    table: { schema: name, name },
    primaryKey: [id],
    columns: { id, payload: column("payload", "text"), status, attempts: column(`${name} attempts`, "integer") },
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

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function fill(name: string): Promise<void> {
  const [own, status, attempts] = [name, `${name} status`, `${name} attempts`].map(quote);
  const { pool } = database();
  await pool.query(`CREATE SCHEMA ${own}`);
  await pool.query(
    `CREATE TABLE ${own}.${own} (${own} bigint PRIMARY KEY, payload text, ${status} text, ${attempts} integer)`,
  );
  await pool.query(
    `INSERT INTO ${own}.${own} VALUES (1, 'first', $1, 0), (2, 'second', $1, 3), (3, NULL, 'odd', NULL)`,
    [name],
  );
}

beforeEach(async () => {
  const { pool } = database();
  for (const name of HOSTILE) await pool.query(`DROP SCHEMA IF EXISTS ${quote(name)} CASCADE`);
});

describe.each(HOSTILE)("a table whose names and words are %s", (name) => {
  test("is read, its predicates find their rows, and its advised indexes can be made", async () => {
    await fill(name);
    const mapping = mappingOf(name);
    const outbox = outboxTable(mapping);
    const db = queryOn(database().pool);
    const idsOf = async (where: SQL) => {
      const rows = await db
        .select({ id: textOf(outbox, mapping.columns.id) })
        .from(outbox.rows)
        .where(where);
      return rows.map(({ id }) => id);
    };
    expect(await idsOf(waiting(outbox))).toEqual(["1"]);
    expect(await idsOf(dead(outbox))).toEqual(["2"]);
    expect(await idsOf(unknown(outbox))).toEqual(["3"]);
    for (const { sql: create } of recommendedIndexes(mapping, true)) await db.execute(sql.raw(create));
    const { rows } = await db.execute(
      sql`SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${eq(sql`n.nspname`, name)} AND i.indpred IS NOT NULL`,
    );
    expect(rows).toHaveLength(3);
  });
});

test("a column that the mapping does not name is read by its name as well", async () => {
  await fill('Out"box');
  const outbox = outboxTable({ ...mappingOf('Out"box'), columns: mappingOf('Out"box').columns });
  await database().pool.query(`ALTER TABLE "Out""box"."Out""box" ADD "not % mapped" text DEFAULT 'yes'`);
  const rows = await queryOn(database().pool)
    .select({ value: outbox.column({ name: "not % mapped" }) })
    .from(outbox.rows)
    .limit(1);
  expect(rows).toEqual([{ value: "yes" }]);
});

test("a literal with a backslash means the same without standard_conforming_strings", async () => {
  const client = await database().pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL standard_conforming_strings = off");
    const word = "it's a \\n back\\slash";
    const { rows } = await client.query(`SELECT ${toText(sql`${word}`)} AS word`);
    expect(rows).toEqual([{ word }]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("the same predicate is text for the relay and for an index, with its constants in it", () => {
  const mapping = mappingOf("s");
  const predicate = waiting(outboxTable(mapping, "o"));
  expect(toText(predicate)).toBe(`"o"."s status" IN ('s', 'failed') AND coalesce("o"."s attempts", 0) < 3`);
  expect(toIndexText(predicate)).toBe(`"s status" IN ('s', 'failed') AND coalesce("s attempts", 0) < 3`);
});
