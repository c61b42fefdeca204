import { createPool } from "mysql2/promise";
import { expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { testDatabase } from "../../tests/postgres.ts";
import { mysql2 } from "../adapters/mysql2.ts";
import { pg } from "../adapters/pg.ts";
import type { Adapter } from "../sql/adapter.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { createOutbox, type EventEntry } from "./create-outbox.ts";
import type { OutboxColumns } from "./layout.ts";

const database = testDatabase("empty");
const mysqlDatabase = testMysqlDatabase("mysql", "empty");

const COLUMNS: OutboxColumns = {
  id: { name: "id", type: "generated" },
  eventType: "event_type",
  aggregateId: "aggregate_id",
  payload: { name: "payload", type: "text" },
  topic: "topic",
  availableAt: { name: "send_after", type: "timestamp" },
};
const TABLE = (id: string, now: string) => `CREATE TABLE defaults (id ${id}, event_type varchar(50) NOT NULL,
  aggregate_id varchar(50) NOT NULL, payload text NOT NULL, topic varchar(50) NOT NULL DEFAULT 'orders', send_after ${now})`;
const ROWS = "SELECT aggregate_id, topic FROM defaults ORDER BY id";

async function addMixed<Tx, Db>(via: Adapter<Tx, Db>, db: Db): Promise<void> {
  const outbox = createOutbox(contractEvents, { via, table: "defaults", columns: COLUMNS });
  const entry = (key: string, more: { topic?: string; delay?: "1h" } = {}): EventEntry<typeof contractEvents> => [
    "contract.checked",
    contractPayload(key),
    more,
  ];
  await via.transaction(db, (tx) =>
    outbox.add(tx, [entry("a"), entry("b", { topic: "other" }), entry("c", { delay: "1h" }), entry("d")]),
  );
}

const EXPECTED = [
  { aggregate_id: "a", topic: "orders" },
  { aggregate_id: "b", topic: "other" },
  { aggregate_id: "c", topic: "orders" },
  { aggregate_id: "d", topic: "orders" },
];

test("in Postgres a column for which an event has nothing keeps its default", async () => {
  const { pool } = database();
  await pool.query(
    TABLE("bigint GENERATED ALWAYS AS IDENTITY", "timestamp NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')"),
  );
  await addMixed(pg(), pool);
  expect((await pool.query(ROWS)).rows).toEqual(EXPECTED);
  const later = await pool.query("SELECT aggregate_id FROM defaults WHERE send_after > now() AT TIME ZONE 'UTC'");
  expect(later.rows).toEqual([{ aggregate_id: "c" }]);
});

test("in MySQL a column for which an event has nothing keeps its default", async () => {
  const pool = createPool({ uri: mysqlDatabase().url, connectionLimit: 1 });
  try {
    await pool.query(TABLE("bigint AUTO_INCREMENT PRIMARY KEY", "datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)"));
    await addMixed(mysql2(), pool);
    expect((await pool.query(ROWS))[0]).toEqual(EXPECTED);
    const [later] = await pool.query("SELECT aggregate_id FROM defaults WHERE send_after > UTC_TIMESTAMP(6)");
    expect(later).toEqual([{ aggregate_id: "c" }]);
  } finally {
    await pool.end();
  }
});

test("events of a list with given ids are written in their order, whatever each has", async () => {
  const { pool } = database();
  await pool.query(`CREATE TABLE ordered (id uuid PRIMARY KEY, position bigint GENERATED ALWAYS AS IDENTITY,
    event_type text, aggregate_id text, payload text, topic text NOT NULL DEFAULT 'orders')`);
  const { id: _, availableAt: __, ...others } = COLUMNS;
  const outbox = createOutbox(contractEvents, { via: pg(), table: "ordered", columns: { id: "id", ...others } });
  const known = crypto.randomUUID();
  const add = (keys: readonly string[]) =>
    pg().transaction(pool, (tx) =>
      outbox.add(
        tx,
        keys.map((key) => [
          "contract.checked",
          contractPayload(key),
          { id: key === "b" ? known : crypto.randomUUID(), ...(key < "c" ? {} : { topic: "other" }) },
        ]),
      ),
    );
  expect((await add(["d", "b", "a", "c"])).map(({ added }) => added)).toEqual([true, true, true, true]);
  expect((await add(["c", "b"])).map(({ added }) => added)).toEqual([true, false]);
  const { rows } = await pool.query("SELECT aggregate_id || ' ' || topic AS event FROM ordered ORDER BY position");
  expect(rows.map(({ event }) => event)).toEqual(["d other", "b orders", "a orders", "c other", "c other"]);
});
