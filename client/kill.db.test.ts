import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../tests/postgres.ts";
import { pg } from "./adapters/pg.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { contractEvents } from "./testing/contract-events.ts";
import { contractMessage } from "./testing/inbox-contract.ts";
import { createTables } from "./testing/tables.fixture.ts";

const PROGRAM = join(import.meta.dirname, "testing/killed-client.fixture.ts");
/** BEGIN, the business row, the event, COMMIT. */
const ADD_STATEMENTS = 4;
/** BEGIN, the mark, the effect, the check, COMMIT. */
const ONCE_STATEMENTS = 5;

const database = testDatabase("empty");

beforeAll(async () => {
  await createTables(database().pool);
  await database().pool.query("CREATE TABLE business (id text NOT NULL)");
});

/** Kills a child at each moment of each statement. Returns the ids that they worked on. */
async function killEverywhere(act: "add" | "once", statements: number): Promise<string[]> {
  const moments = Array.from({ length: statements }, (_, index) => index + 1).flatMap((number) =>
    (["before", "after"] as const).map((moment) => ({ id: crypto.randomUUID(), moment, number })),
  );
  await Promise.all(
    moments.map(async ({ id, moment, number }) => {
      const child = spawn(process.execPath, [PROGRAM, database().url, act, id, moment, String(number)]);
      const [, signal] = await once(child, "exit");
      expect(signal).toBe("SIGKILL");
    }),
  );
  return moments.map(({ id }) => id);
}

const idsOf = async (sql: string): Promise<string[]> =>
  (await database().pool.query<{ id: string }>(sql)).rows.map(({ id }) => id).sort();

test("a producer that is killed at any statement leaves both the business row and its event, or neither", async () => {
  const ids = await killEverywhere("add", ADD_STATEMENTS);
  const business = await idsOf("SELECT id FROM business");
  expect(await idsOf("SELECT aggregate_id AS id FROM outbox")).toEqual(business);
  expect(business.length).toBeLessThan(ids.length);
});

test("a consumer that is killed at any statement has its effect once, after the next delivery", async () => {
  await database().pool.query("TRUNCATE business");
  const ids = await killEverywhere("once", ONCE_STATEMENTS);
  const inbox = createInbox(contractEvents, { via: pg(), consumer: "killed" });
  const outcomes = await Promise.all(
    ids.map((id) =>
      inbox.once(database().pool, contractMessage(id), (tx) => tx.query("INSERT INTO business (id) VALUES ($1)", [id])),
    ),
  );
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toContain("processed");
  expect(await idsOf("SELECT id FROM business")).toEqual(ids.toSorted());
});

test("1,000 deliveries of one message at the same time have one effect", async () => {
  const inbox = createInbox(contractEvents, { via: pg(), consumer: "many" });
  const message = contractMessage();
  const outcomes = await Promise.all(
    Array.from({ length: 1000 }, () =>
      inbox.once(database().pool, message, (tx) =>
        tx.query("INSERT INTO business (id) VALUES ($1)", [`many ${message.id}`]),
      ),
    ),
  );
  expect(outcomes.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(await idsOf("SELECT id FROM business WHERE id LIKE 'many %'")).toHaveLength(1);
});
