import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { OUTBOX_DDL } from "../testing/outbox.fixture.ts";
import { checkTopics } from "./check-topics.ts";

const broker = testBroker("nats");
const prefix = uniqueName("shop");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let runtime: Runtime;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query(`${OUTBOX_DDL}; ALTER TABLE outbox_events ADD region text`);
  const yaml = `
stores: { shop: { kind: postgres, url: "${database.url}" } }
outboxes:
  orders:
    store: shop
    table: public.outbox_events
    mode: relay
    relay: { sink: bus, route: { topic: "${prefix}.{region}.{eventType}", fields: { region: region } } }
sinks: { bus: { kind: nats, servers: ["${broker().url}"] } }`;
  runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "topics test", env: {} });
});
afterEach(async () => {
  await runtime.close();
  await database.drop();
});

/** Every report line, with its advice. */
async function check(): Promise<string[]> {
  const lines: string[] = [];
  await checkTopics(runtime, new Set(["bus"]), {
    ok: (text) => lines.push(`ok ${text}`),
    advise: () => undefined,
    bad: (text, fix) => lines.push(`bad ${text} | ${fix}`),
  });
  return lines;
}

const insert = (type: string, region: string | null, more = "") =>
  database.pool.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, region, published_at) VALUES ('order', 'a', $1, '{}', $2, ${more || "NULL"})`,
    [type, region],
  );

test("says which topics the outbox's messages need and the broker does not have, and how to make them", async () => {
  expect(await check()).toEqual(["ok outbox orders: the outbox has no messages yet, so its topics are not known"]);
  const connection = await connect({ servers: broker().url });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: prefix, subjects: [`${prefix}.eu.*`] });
  await insert("paid", "eu");
  await insert("refunded", "us");
  // Published messages may have used a topic that the route no longer names.
  await insert("placed", "us", "now()");
  await insert("paid", null);
  const lines = await check();
  await manager.streams.delete(prefix);
  await connection.close();
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^bad outbox orders: The topic cannot be made: the message has no value for region/);
  expect(lines[1]).toContain(`no stream takes the subject ${prefix}.us.placed`);
  expect(lines[2]).toContain(`no stream takes the subject ${prefix}.us.refunded`);
  expect(lines[2]).toContain("| nats stream add");
  expect(lines[3]).toContain(`ok outbox orders: 1 of the 3 topics that its messages name exist: ${prefix}.eu.paid`);
  const { rows } = await database.pool.query("SELECT count(*)::int AS dead FROM outbox_console.dead_letter");
  expect(rows[0].dead).toBe(0);
});
