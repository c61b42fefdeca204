import { describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../../stores/mysql/open-mysql-store.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { recogniseOutbox } from "../recognise.ts";

const TABLE = `CREATE TABLE outbox (id int PRIMARY KEY, event_type varchar(50) NOT NULL, payload json NOT NULL,
  created_at datetime(6) NOT NULL, sent tinyint(1) NOT NULL DEFAULT 0, failed tinyint(1) NOT NULL DEFAULT 0,
  dead tinyint(1) NOT NULL DEFAULT 0, deleted_at datetime(6) NULL)`;
const ROWS = ["0, 0, 0, NULL", "1, 0, 0, NULL", "0, 1, 0, NULL", "0, 1, 1, NULL", "0, 0, 0, now(6)", "1, 0, 0, now(6)"];
const STATES = ["pending", "published", "failed", "dead", "unknown", "published"];

describe.each(flavorsFor("mysql"))("marks beside the published one, in %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  test("say that a row was given up, has failed or was withdrawn", async () => {
    await database().query(TABLE);
    const rows = ROWS.map((marks, n) => `(${n}, 'order.placed', '{}', now(6), ${marks})`);
    await database().query(`INSERT INTO outbox VALUES ${rows.join(", ")}`);
    const store = openMysqlStore({ name: "shop", url: database().url, applicationName: "test", own: database().own });
    try {
      const tables = await readLooked(store);
      const table = tables.find(({ name }) => name === "outbox");
      if (!table) throw new Error("no table");
      const found = recogniseOutbox(table, tables);
      if ("problem" in found) throw new Error(found.problem);
      const ref = { name: "orders", mapping: found.mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 };
      const { read } = store.outbox(ref);
      const listed = (await read.list({ filter: { state: "all" }, limit: 10 })).rows;
      expect(Object.fromEntries(listed.map(({ id, state }) => [id, state]))).toEqual(
        Object.fromEntries(STATES.map((state, n) => [String(n), state])),
      );
      for (const state of ["pending", "failed", "dead", "unknown"] as const) {
        const { rows: found } = await read.list({ filter: { state }, limit: 10 });
        expect(found.map(({ id }) => Number(id))).toEqual([STATES.indexOf(state)]);
      }
    } finally {
      await store.close();
    }
  });
});
