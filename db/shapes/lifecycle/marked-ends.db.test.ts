import { afterEach, describe, expect, test } from "vitest";
import type { MessageState } from "#domain/message/message-state.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../../stores/mysql/open-mysql-store.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { recogniseOutbox } from "../recognise.ts";

const TABLE = `CREATE TABLE outbox (id int PRIMARY KEY, event_type varchar(50) NOT NULL, payload json NOT NULL,
  created_at datetime(6) NOT NULL, sent tinyint(1) NOT NULL DEFAULT 0, failed tinyint(1) NOT NULL DEFAULT 0,
  dead tinyint(1) NOT NULL DEFAULT 0, deleted_at datetime(6) NULL)`;
const ROWS = ["0, 0, 0, NULL", "1, 0, 0, NULL", "0, 1, 0, NULL", "0, 1, 1, NULL", "0, 0, 0, now(6)", "1, 0, 0, now(6)"];
const STATES = ["pending", "published", "failed", "dead", "unknown", "published"];

const TOLD = `CREATE TABLE outbox (id int PRIMARY KEY, event_type varchar(50) NOT NULL, payload json NOT NULL,
  created_at datetime(6) NOT NULL, status varchar(20) NOT NULL DEFAULT 'NEW', resend tinyint(1) NOT NULL DEFAULT 0)`;
const TOLD_ROWS = ["'NEW', 0", "'SENT', 0", "'SENT', 1", "'FAILED', 0"];
const TOLD_STATES = ["pending", "published", "unknown", "failed"];

describe.each(flavorsFor("mysql"))("marks beside the published one, in %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  afterEach(() => database().query("DROP TABLE outbox"));

  /** By state the rows that its list has, and by id the states of the list of all. */
  async function listed(ddl: string, marks: readonly string[], states: readonly MessageState[]) {
    await database().query(ddl);
    const rows = marks.map((mark, n) => `(${n}, 'order.placed', '{}', now(6), ${mark})`);
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
      const every = (await read.list({ filter: { state: "all" }, limit: 10 })).rows;
      const byState: Record<string, number[]> = {};
      for (const state of states) {
        const { rows: those } = await read.list({ filter: { state }, limit: 10 });
        byState[state] = those.map(({ id }) => Number(id));
      }
      return {
        states: every.toSorted((one, other) => Number(one.id) - Number(other.id)).map(({ state }) => state),
        byState,
      };
    } finally {
      await store.close();
    }
  }

  test("say that a row was given up, has failed or was withdrawn", async () => {
    const found = await listed(TABLE, ROWS, ["pending", "failed", "dead", "unknown"]);
    expect(found.states).toEqual(STATES);
    expect(found.byState).toEqual({ pending: [0], failed: [2], dead: [3], unknown: [4] });
  });

  test("say that a row with a status of published is to be sent again", async () => {
    const found = await listed(TOLD, TOLD_ROWS, ["pending", "published", "failed", "unknown"]);
    expect(found.states).toEqual(TOLD_STATES);
    expect(found.byState).toEqual({ pending: [0], published: [1], failed: [3], unknown: [2] });
  });
});
