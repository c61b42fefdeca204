import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { pg } from "../adapters/pg.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";

const database = testDatabase("empty");
const via = pg();

test("a row that a policy refuses is not called a missing grant", async () => {
  const { pool } = database();
  const outbox = createOutbox(contractEvents, { via, table: "guarded" });
  const inbox = createInbox(contractEvents, { via, consumer: "billing", table: "guarded_inbox" });
  const role = `tenant_${crypto.randomUUID().slice(0, 8)}`;
  await pool.query(`${outbox.schema()} ${inbox.schema()} CREATE ROLE ${role};
    ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; ALTER TABLE guarded_inbox ENABLE ROW LEVEL SECURITY;
    CREATE POLICY mine ON guarded FOR INSERT TO ${role} WITH CHECK (aggregate_id = 'mine');
    GRANT SELECT, INSERT, UPDATE ON guarded, guarded_inbox TO ${role}`);
  const inRole = <T>(work: (tx: ClientBase) => Promise<T>) =>
    via.transaction(pool, async (tx) => {
      await tx.query(`SET LOCAL ROLE ${role}`);
      return work(tx);
    });
  const add = (key: string) => inRole((tx) => outbox.add(tx, "contract.checked", contractPayload(key)));
  try {
    expect(await add("mine")).toMatchObject({ added: true });
    await expect(add("another")).rejects.toMatchObject({
      code: "unusable_table",
      message: expect.stringMatching(/^Row level security .*guarded: add policies .*row-level security policy/),
    });
    await expect(inRole((tx) => inbox.onceIn(tx, contractMessage(), async () => 1))).rejects.toMatchObject({
      code: "unusable_table",
      message: expect.stringMatching(/^Row level security .*guarded_inbox: add policies/),
    });
  } finally {
    await pool.query(`DROP TABLE guarded, guarded_inbox; DROP ROLE ${role}`);
  }
});

test("a partitioned table, whose key cannot be the id alone, takes events without a given id", async () => {
  const { pool } = database();
  await pool.query(`CREATE TABLE parted (id uuid, event_type text, payload jsonb, created_at timestamptz NOT NULL,
    PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
    CREATE TABLE parted_all PARTITION OF parted DEFAULT`);
  const columns = { id: "id", eventType: "event_type", payload: "payload", createdAt: "created_at" };
  const outbox = createOutbox(contractEvents, { via, table: "parted", columns });
  const add = (id?: string) =>
    via.transaction(pool, (tx) => outbox.add(tx, "contract.checked", contractPayload("k"), id ? { id } : {}));
  await expect(add(crypto.randomUUID())).rejects.toThrow(/add one, or leave the option id out\./);
  expect(await add()).toMatchObject({ added: true });
});
