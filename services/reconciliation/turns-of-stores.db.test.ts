import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { configSchema } from "../config/config-schema.ts";
import { openRuntime } from "../runtime.ts";
import { reconcile } from "./reconcile.ts";

const database = testDatabase("empty");

test("while the store of one inbox is silent, the inbox of another store is checked", async () => {
  const { pool, url } = database();
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY, aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL, published_at timestamptz);
    CREATE TABLE inbox_a (message_id text PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE inbox_b (message_id text PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO outbox_events SELECT gen_random_uuid(), 'a', 'order.placed', '{}', now() - interval '1 hour', now() - interval '1 hour'`);
  const { hostname, port } = new URL(url);
  const line = await startTcpProxy({ host: hostname, port: Number(port) });
  const through = Object.assign(new URL(url), { port: String(line.port) }).href;
  const inbox = { outbox: "orders", processWithin: "5m" };
  const config = configSchema.parse({
    stores: { shop: { kind: "postgres", url }, far: { kind: "postgres", url: through } },
    outboxes: { orders: { store: "shop", table: "outbox_events" } },
    inboxes: {
      far_in: { ...inbox, store: "far", table: "inbox_a" },
      near_in: { ...inbox, store: "shop", table: "inbox_b" },
    },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  await runtime.tables();
  line.pause();
  const ended: string[] = [];
  const check = async (name: string) => {
    const state = await reconcile(runtime, name, { waitMs: 60_000 });
    ended.push(name);
    return state?.pairs[0];
  };
  const [far, near] = await Promise.all([check("far_in"), check("near_in")]);
  expect(near?.check).toMatchObject({ checked: 1 });
  expect(far?.unchecked).not.toBeNull();
  expect(ended).toEqual(["near_in", "far_in"]);
  await line.resume();
  await runtime.close();
  await line.close();
});
