import { describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { openMysqlStore } from "../stores/mysql/open-mysql-store.ts";
import type { Store } from "../stores/port/store.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import { recogniseOutbox } from "./recognise.ts";

const TABLE = `CREATE TABLE outbox (id int PRIMARY KEY, event_type varchar(50), payload text, created_at timestamp NULL,
  status varchar(30), code smallint);`;
const POSTGRES = testDatabase("empty");
const MYSQL = { mysql: testMysqlDatabase("mysql", "empty"), mariadb: testMysqlDatabase("mariadb", "empty") };

const ENGINES = {
  postgres: {
    query: (sql: string) => POSTGRES().pool.query(sql),
    open: () => openPostgresStore({ name: "shop", url: POSTGRES().url, applicationName: "test" }),
  },
  ...Object.fromEntries(
    flavorsFor("mysql").map((flavor) => [
      flavor,
      {
        query: (sql: string) => MYSQL[flavor]().query(sql),
        open: () =>
          openMysqlStore({ name: "shop", url: MYSQL[flavor]().url, applicationName: "test", own: MYSQL[flavor]().own }),
      },
    ]),
  ),
} as Record<string, { query(sql: string): Promise<unknown>; open(): Store }>;

describe.each(Object.keys(ENGINES))("the values of a status that nothing declares, in %s", (kind) => {
  const outbox = async (ddl: readonly string[]) => {
    const engine = ENGINES[kind];
    if (!engine) throw new Error(kind);
    await engine.query("DROP TABLE IF EXISTS outbox");
    for (const statement of ddl) await engine.query(statement);
    const store = engine.open();
    try {
      const tables = await readLooked(store);
      const table = tables.find(({ name }) => name === "outbox");
      if (!table) throw new Error("no table");
      const found = recogniseOutbox(table, tables);
      if ("problem" in found || found.mapping.lifecycle.kind !== "status") throw new Error(JSON.stringify(found));
      return { table, lifecycle: found.mapping.lifecycle, question: found.question };
    } finally {
      await store.close();
    }
  };

  test("are read from rows, and only they may be written", async () => {
    const rows = ["in_attesa", "in_attesa", "inviato", "boh"].map((word, n) => `(${n}, 'a', '{}', '${word}')`);
    const insert = `INSERT INTO outbox (id, event_type, payload, status) VALUES ${rows.join(", ")}`;
    const { table, lifecycle } = await outbox([TABLE, insert]);
    expect(table.values?.status).toEqual({
      words: expect.arrayContaining(["in_attesa", "inviato", "boh"]),
      nulls: false,
    });
    expect(lifecycle).toMatchObject({ guessed: true, shown: expect.arrayContaining(["in_attesa", "inviato", "boh"]) });
    expect(lifecycle.pending[0]).toBe("in_attesa");
    expect(lifecycle.published[0]).toBe("inviato");
    expect(Object.values(lifecycle).flat()).toContain("boh");
    expect([...lifecycle.pending, ...lifecycle.published]).not.toContain("boh");
  });

  test("codes are pending where they are the default, otherwise unknown until a person says", async () => {
    const coded = TABLE.replace("status varchar(30), code smallint", "status smallint NOT NULL DEFAULT 0");
    const insert = "INSERT INTO outbox (id, event_type, payload, status) VALUES (1, 'a', '{}', 0), (2, 'a', '{}', 3)";
    const { lifecycle, question } = await outbox([coded, insert]);
    expect(lifecycle).toMatchObject({ pending: ["0"], published: [], failed: [], dead: [] });
    expect(question).not.toBeNull();
  });

  test("of too many different ones nothing is taken for a status", async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `(${n}, 'a', '{}', 'word ${n}')`);
    const { table } = await outbox([
      TABLE,
      `INSERT INTO outbox (id, event_type, payload, status) VALUES ${rows.join(", ")}`,
    ]);
    expect(table.values).toBeUndefined();
  });
});

test("are kept for a reading that may not look at them", async () => {
  const { pool, url } = POSTGRES();
  const user = `looker_${process.pid}`;
  await pool.query(`DROP TABLE IF EXISTS outbox; ${TABLE} CREATE ROLE ${user} LOGIN PASSWORD 'looker'`);
  await pool.query(`INSERT INTO outbox (id, status) VALUES (1, 'in_attesa'); GRANT SELECT ON outbox TO ${user}`);
  const named = Object.assign(new URL(url), { username: user, password: "looker" });
  const store = openPostgresStore({ name: "shop", url: named.toString(), applicationName: "test" });
  const read = async () => (await store.catalog()).tables.find(({ name }) => name === "outbox");
  try {
    expect((await read())?.values?.status).toEqual({ words: ["in_attesa"], nulls: false });
    await pool.query(`REVOKE SELECT ON outbox FROM ${user}`);
    const later = await read();
    expect(later?.values?.status).toEqual({ words: ["in_attesa"], nulls: false });
    expect(later?.unlooked).toBeUndefined();
  } finally {
    await store.close();
    await pool.query(`DROP ROLE ${user}`);
  }
});

test("rows that the user may not read do not hold up the catalog", async () => {
  const { pool, url } = POSTGRES();
  const user = `reader_${process.pid}`;
  await pool.query(`DROP TABLE IF EXISTS outbox; ${TABLE} CREATE ROLE ${user} LOGIN PASSWORD 'reader'`);
  await pool.query("INSERT INTO outbox (id, status) VALUES (1, 'NEW')");
  const named = Object.assign(new URL(url), { username: user, password: "reader" });
  const store = openPostgresStore({ name: "shop", url: named.toString(), applicationName: "test" });
  try {
    const { tables, ownSchema } = await store.catalog();
    expect(ownSchema).toBe("missing");
    expect(tables.map(({ name, values }) => ({ name, values }))).toEqual([{ name: "outbox", values: undefined }]);
  } finally {
    await store.close();
    await pool.query(`DROP ROLE ${user}`);
  }
});
