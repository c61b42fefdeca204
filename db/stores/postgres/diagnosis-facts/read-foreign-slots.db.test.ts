import { expect, onTestFinished, test } from "vitest";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readForeignSlots } from "./read-foreign-slots.ts";

const database = testDatabase("migrated");

test("a slot by which the outbox should be read is told as its own, and one of another outbox is left out", async () => {
  const { pool, url } = database();
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text, payload jsonb,
    created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)`);
  const runtime = openOperatedRuntime(url, "outbox_events");
  onTestFinished(() => runtime.close());
  const ref = outboxRef(await runtime.outbox("orders"));
  const names = ["own", "other", "foreign"].map((one) => `${one}_${new URL(url).pathname.slice(1)}`.slice(0, 63));
  for (const name of names) await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [name]);
  onTestFinished(async () => {
    for (const name of names) await pool.query("SELECT pg_drop_replication_slot($1)", [name]);
  });
  const [own = "", other = "", foreign = ""] = names;
  const read = (configured?: Parameters<typeof readForeignSlots>[2]) =>
    withReadTransaction(pool, 3000, (client) => readForeignSlots(client, ref, configured)).then((slots) =>
      Object.fromEntries(slots.map((one) => [one.slot, one.own ?? false])),
    );
  expect(await read({ own, ofOthers: [other] })).toEqual({ [own]: true, [foreign]: false });
  expect(await read()).toEqual({ [own]: false, [other]: false, [foreign]: false });
});
