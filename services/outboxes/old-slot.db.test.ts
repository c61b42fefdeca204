import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { openRuntime } from "../runtime.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const database = testDatabase("migrated");
const SLOT = "orders_slot";

async function causesWith(relay: object): Promise<string[]> {
  const config = {
    stores: { default: { kind: "postgres", url: database().url } },
    outboxes: { orders: { table: "public.outbox_events", mode: "relay", relay: { sink: "s", ...relay } } },
    sinks: { s: { kind: "log" } },
  };
  const runtime = openRuntime({
    config: parseConfig(JSON.stringify(config), {}, "test"),
    applicationName: "old slot",
    env: {},
  });
  onTestFinished(() => runtime.close());
  const { verdict } = await takeSnapshot({ runtime, outbox: "orders" });
  return verdict.causes.map(({ rule }) => rule);
}

test("the slot of a relay that was stopped is missed only while the outbox is to be read from it", async () => {
  const { pool } = database();
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz)`);
  await pool.query(
    `INSERT INTO outbox_console.relay_instance
       (outbox, id, host, pid, version, started_at, heartbeat_at, state, source, sink, published, failures, latency, partitions, stream)
     SELECT 'orders', 'a', 'host-1', 42, '1.2.3', now() - interval '1 h', now() - interval '1 min', 'stopped', 'cdc', '{}', 0, 0, '{}', 0,
       jsonb_build_object('slot', $1::text, 'connected', false, 'since', now())`,
    [SLOT],
  );
  expect(await causesWith({ source: "cdc", cdc: { slot: SLOT } })).toContain("slot_lag");
  expect(await causesWith({ source: "cdc", cdc: { slot: "another" } })).not.toContain("slot_lag");
  expect(await causesWith({ source: "polling" })).not.toContain("slot_lag");
});
