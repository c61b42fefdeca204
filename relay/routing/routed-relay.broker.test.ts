import { Redis } from "ioredis";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startRelays } from "../start-relays.ts";
import { OUTBOX_DDL } from "../testing/outbox.fixture.ts";

describe("a relay that routes to Redis", () => {
  const broker = testBroker("redis");
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let runtime: Runtime;
  let client: Redis;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(`${OUTBOX_DDL}; ALTER TABLE outbox_events ADD "Operation" text`);
    client = new Redis(broker().url);
  });
  afterEach(async () => {
    client.disconnect();
    await runtime.close();
    await database.dropByForce();
  });

  const start = (route: string, lines: string[] = []) => {
    const yaml = `
stores: { shop: { kind: postgres, url: "${database.url}" } }
outboxes:
  orders: { store: shop, table: public.outbox_events, mode: relay, relay: { sink: bus, route: ${route} } }
sinks: { bus: { kind: redis, url: "${broker().url}" } }`;
    runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "routing test", env: {} });
    const log = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
    return startRelays({ runtime, signal: new AbortController().signal, log });
  };

  test("templates use additional columns, numbers survive, and unroutable messages are dead with the reason", async () => {
    const type = uniqueName("T");
    await database.pool.query(
      `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, headers, "Operation") VALUES
       ($1, 'a', 'changed', '{"id":9007199254740993,"price":1.10}', '{"tenant":"t"}', 'INSERT'),
       ($1, 'b', 'changed', '{}', NULL, NULL)`,
      [type],
    );
    const relays = await start('{ topic: "{aggregateType:lower}.{op:lower}", fields: { op: Operation } }');
    try {
      const dead = await waitFor(
        async () => {
          const { rows } = await database.pool.query("SELECT last_error FROM outbox_console.dead_letter");
          return rows[0];
        },
        { message: "one is dead" },
      );
      expect(JSON.stringify(dead)).toContain("no value for op");
      const [entry] = await waitFor(
        async () => {
          const entries = await client.xrange(`${type.toLowerCase()}.insert`, "-", "+");
          return entries.length > 0 && entries;
        },
        { message: "the other arrived" },
      );
      expect(entry?.[1].slice(-2)).toEqual(["payload", '{"id": 9007199254740993, "price": 1.10}']);
      expect(entry?.[1]).toContain("tenant");
    } finally {
      await relays.stop();
      await client.del(`${type.toLowerCase()}.insert`);
    }
  });

  test("a stream that cannot be written to holds its type back and kills nothing; it goes on once it can be", async () => {
    const [wrong, fine] = [uniqueName("wrong"), uniqueName("fine")];
    await client.set(wrong, "a text");
    const insert = (aggregate: string, type: string) =>
      database.pool.query(
        "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ('t', $1, $2, '{}')",
        [aggregate, type],
      );
    const relays = await start('{ topic: "{eventType}" }');
    try {
      await insert("a", wrong);
      await insert("a", wrong);
      const { rows } = await waitFor(
        async () => {
          // A published message shows that the sink works.
          await insert("b", fine);
          const found = await database.pool.query<{ routes: { name: string; message: string }[] }>(
            "SELECT routes FROM outbox_console.relay_instance WHERE json_array_length(routes) > 0",
          );
          return found.rows.length > 0 && found;
        },
        { timeoutMs: 20_000, message: "the type is held back" },
      );
      expect(rows[0]?.routes).toMatchObject([
        { name: wrong, message: expect.stringContaining(`The stream ${wrong}: WRONGTYPE`) },
      ]);
      await client.del(wrong);
      await waitFor(async () => (await client.xlen(wrong)) === 2, { timeoutMs: 20_000, message: "both arrived" });
      const { rows: left } = await database.pool.query(
        "SELECT (SELECT count(*) FROM outbox_console.dead_letter)::int AS dead, (SELECT count(*) FROM outbox_console.delivery)::int AS failed",
      );
      expect(left).toEqual([{ dead: 0, failed: 0 }]);
    } finally {
      await relays.stop();
      await client.del(wrong, fine);
    }
  });

  test("a missing column is logged at the start", async () => {
    const lines: string[] = [];
    const relays = await start("{ fields: { op: operation } }", lines);
    await waitFor(() => lines.some((line) => line.includes('names the column \\"operation\\", which')), {
      message: "the log says so",
    });
    await relays.stop();
  });
});
