import type { ClientBase } from "pg";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { defineEvents } from "../events/define-events.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { pg } from "./pg.ts";

const database = testDatabase("empty");
const via = pg();

beforeAll(() => createTables(database().pool));

adapterSuite({
  via,
  db: () => database().pool,
  outside: async (use) => {
    await use(database().pool as unknown as ClientBase);
    const client = await database().pool.connect();
    try {
      await use(client);
      await client.query("BEGIN");
      await client.query("COMMIT");
      await use(client);
    } finally {
      client.release();
    }
  },
});

test("a client that does not say its state is asked by a statement, which changes nothing", async () => {
  const outbox = createOutbox(contractEvents, { via });
  const client = await database().pool.connect();
  const old = { query: client.query.bind(client) } as ClientBase;
  const add = () => outbox.add(old, "contract.checked", contractPayload("old"));
  try {
    await expect(add()).rejects.toThrow(/no open transaction/);
    await client.query("BEGIN");
    expect(await add()).toMatchObject({ added: true });
    await client.query("ROLLBACK");
  } finally {
    client.release();
  }
});

test("a transaction that ends while a schema takes its time is refused", async () => {
  const checked = Promise.withResolvers<void>();
  const validate = (value: unknown) => checked.promise.then(() => ({ value }));
  const schema = { "~standard": { version: 1, vendor: "test", validate } } as const;
  const slow = defineEvents({ slow: { version: 1, aggregate: "test", schema } });
  const outbox = createOutbox(slow, { via });
  let adding: Promise<unknown> | undefined;
  const fails = via.transaction(database().pool, async (tx) => {
    adding = outbox.add(tx, "slow", contractPayload("slow"));
    throw new Error("the business failed");
  });
  await expect(fails).rejects.toThrow("the business failed");
  checked.resolve();
  await expect(adding).rejects.toThrow(/no open transaction/);
  const { rows } = await database().pool.query("SELECT id FROM outbox WHERE event_type = 'slow'");
  expect(rows).toEqual([]);
});

test("a role that may only insert may add with the strict guard", async () => {
  const { pool, name } = database();
  const role = `producer_of_${name}`;
  await pool.query(`CREATE ROLE ${role}; GRANT INSERT ON outbox TO ${role}`);
  try {
    const outbox = createOutbox(contractEvents, { via, guard: "strict" });
    await via.transaction(pool, async (tx) => {
      await tx.query(`SET LOCAL ROLE ${role}`);
      expect(await outbox.add(tx, "contract.checked", contractPayload("role"))).toMatchObject({ added: true });
    });
  } finally {
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test("an event that a trigger puts into a partition is added once", async () => {
  const { pool } = database();
  await pool.query(`CREATE TABLE outbox_of_today () INHERITS (outbox);
    CREATE FUNCTION into_today() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO outbox_of_today SELECT NEW.*; RETURN NULL; END $$;
    CREATE TRIGGER into_today BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION into_today()`);
  try {
    const outbox = createOutbox(contractEvents, { via });
    await via.transaction(pool, async (tx) => {
      expect(await outbox.add(tx, "contract.checked", contractPayload("today"))).toMatchObject({ added: true });
    });
    const { rows } = await pool.query("SELECT aggregate_id FROM outbox_of_today");
    expect(rows).toHaveLength(1);
  } finally {
    await pool.query("DROP TRIGGER into_today ON outbox; DROP TABLE outbox_of_today; DROP FUNCTION into_today()");
  }
});

test("a commit that the database answers with a rollback is an error", async () => {
  const work = via.transaction(database().pool, async (tx) => {
    await tx.query("SELECT 1 / 0").catch(() => undefined);
    return "went on";
  });
  await expect(work).rejects.toThrow(/rolled back at its commit/);
});

test.each([
  ["the table counts failures", {}],
  ["each row means processed", { table: "marks", columns: { messageId: "event_id", processedAt: "processed_at" } }],
])("a message is not lost whose work commits, and then fails, where %s", async (_, layout) => {
  await database().pool.query("CREATE TABLE IF NOT EXISTS marks (event_id text PRIMARY KEY, processed_at timestamptz)");
  const inbox = createInbox(contractEvents, { via, consumer: "committing", ...layout });
  const message = contractMessage();
  const failing = inbox.once(database().pool, message, async (tx) => {
    await tx.query("COMMIT");
    throw new Error("the work failed");
  });
  await expect(failing).rejects.toThrow("the work failed");
  expect(await inbox.once(database().pool, message, async () => "done")).toMatchObject({ outcome: "processed" });
  expect(await inbox.once(database().pool, message, async () => "again")).toMatchObject({ outcome: "duplicate" });
});

test("another delivery's mark does not pass for that of a work that rolled back", async () => {
  const inbox = createInbox(contractEvents, { via, consumer: "rolling" });
  const message = contractMessage();
  const careless = inbox.once(database().pool, message, async (tx) => {
    await tx.query("ROLLBACK");
    await inbox.once(database().pool, message, async () => "the other's");
  });
  await expect(careless).rejects.toThrow(/was rolled back while the work ran/);
  expect(await inbox.once(database().pool, message, async () => "again")).toMatchObject({ outcome: "duplicate" });
});
