import { sql } from "drizzle-orm";
import { drizzle as drizzleOverPg, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOverPostgresJs } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { drizzle } from "./drizzle.ts";

const database = testDatabase("empty");
let db: NodePgDatabase;

beforeAll(async () => {
  await createTables(database().pool);
  db = drizzleOverPg(database().pool);
});

adapterSuite({
  via: drizzle<NodePgDatabase>(sql),
  db: () => db,
  diesWithConnection: true,
  outside: (use) => use(db as never),
});

test("over pg, a transaction that has ended is refused without asking the database", async () => {
  const outbox = createOutbox(contractEvents, { via: drizzle<NodePgDatabase>(sql) });
  const ended: unknown[] = [];
  await db.transaction(async (tx) => ended.push(tx));
  const add = outbox.add(ended[0] as never, "contract.checked", contractPayload("ended"));
  await expect(add).rejects.toThrow(/has no open transaction/);
});

test("a db of one client is refused: deliveries at the same time would be one transaction", async () => {
  const inbox = createInbox(contractEvents, { via: drizzle<NodePgDatabase>(sql), consumer: "one" });
  const client = await database().pool.connect();
  try {
    const once = inbox.once(drizzleOverPg(client), contractMessage(), async () => "done");
    await expect(once).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("with a pool"),
    });
  } finally {
    client.release();
  }
});

test("over postgres.js, a message that fails does not refuse the caller's commit", async () => {
  const client = postgres(database().url, { max: 1 });
  try {
    const other = drizzleOverPostgresJs(client);
    const inbox = createInbox(contractEvents, { via: drizzle<typeof other>(sql), consumer: "postgres.js" });
    const [good, bad] = [contractMessage(), contractMessage()];
    await other.transaction(async (tx) => {
      await inbox.onceIn(tx, good, async () => "done");
      await expect(inbox.onceIn(tx, bad, (inner) => inner.execute(sql`SELECT 1 / 0`))).rejects.toThrow();
    });
    expect(await inbox.once(other, good, async () => "again")).toMatchObject({ outcome: "duplicate" });
    expect(await inbox.once(other, bad, async () => "done")).toMatchObject({ outcome: "processed" });
  } finally {
    await client.end();
  }
});

test("over postgres.js, a second add with an id is noticed too", async () => {
  const client = postgres(database().url, { max: 1 });
  try {
    const other = drizzleOverPostgresJs(client);
    const outbox = createOutbox(contractEvents, { via: drizzle<typeof other>(sql) });
    const id = crypto.randomUUID();
    const add = () => other.transaction((tx) => outbox.add(tx, "contract.checked", contractPayload("a"), { id }));
    expect([await add(), await add()]).toEqual([
      { id, added: true },
      { id, added: false },
    ]);
  } finally {
    await client.end();
  }
});
