import pg, { type Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { FACT_LIMITS } from "#db/stores/conformance/fact-limits.fixture.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { testDatabase } from "#tests/postgres.ts";
import { createPool } from "../connection/pool.ts";
import { gatherFacts } from "./gather-facts.ts";

/** The demo's outbox, empty before each test of the file, and the facts about it. */
export function factsOfShop() {
  const database = testDatabase();
  let demo: DemoRuntime;
  let ref: OutboxRef;
  let reads: Pool;
  beforeAll(async () => {
    demo = await openDemoRuntime(database().url);
    ref = outboxRef(demo.outbox);
    await demo.pool.query(`CREATE TABLE IF NOT EXISTS public.outbox (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload jsonb,
    created_at timestamptz DEFAULT now(), available_at timestamptz, status text NOT NULL DEFAULT 'PENDING')`);
    reads = createPool({
      url: database().url,
      applicationName: "outbox-console test",
      readOnly: true,
      max: 4,
      statementTimeoutMs: 5000,
    });
  });
  afterAll(() => Promise.all([demo.close(), reads.end()]));
  beforeEach(async () => {
    await demo.pool.query(
      "TRUNCATE shop.outbox_events, outbox_console.delivery, outbox_console.claim, outbox_console.lease, outbox_console.relay_instance, outbox_console.pause",
    );
  });

  const pools = { reads: () => reads, writes: () => reads };
  return {
    database,
    pools,
    demo: () => demo,
    ref: () => ref,
    /** All facts; fails if one was not read. */
    gather: async () => {
      const { facts, unread } = await gatherFacts(pools, ref, FACT_LIMITS);
      expect(unread).toEqual([]);
      return facts;
    },
    addEvents: async (aggregate: string, count: number, age = "0 s"): Promise<string[]> => {
      const { rows } = await demo.pool.query<{ id: string }>(
        `INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', $1, 'order.paid', '{}', now() - $3::interval FROM generate_series(1, $2) RETURNING id`,
        [aggregate, count, age],
      );
      return rows.map((row) => row.id);
    },
    session: async (applicationName: string): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: database().url, application_name: applicationName });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
  };
}
