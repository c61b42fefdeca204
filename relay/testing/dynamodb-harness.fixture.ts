import { pino } from "pino";
import { createTutorialShop, eventItem, type TutorialShop } from "#db/stores/dynamodb/tutorial-shop.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import type { TestItem } from "#tests/dynamodb/test-tables.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type StartedRelays, startRelays } from "../start-relays.ts";
import type { Delivery } from "./outbox.fixture.ts";

export interface DynamodbHarness {
  shop: TutorialShop;
  receiver: HttpReceiver;
  /** Configuration of a relay over the shop's outbox; `relay`: further settings, as YAML flow. */
  yaml(relay?: readonly string[], endpoint?: string): string;
  /** `edit` changes the configuration before it is read. */
  start(relay?: readonly string[], edit?: (yaml: string) => string): Promise<void>;
  stop(): Promise<void>;
  runtime(): Runtime;
  /** Log lines of its relays, warnings or worse. */
  logged(): string;
  /** `count` events, `aggregates` in turn. */
  insert(input: { count: number; aggregates: number; from?: number }): Promise<void>;
  deliveries(): Delivery[];
  unpublished(): Promise<number>;
  waitUntilSent(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** The tutorial's table, a receiver, and relays to start between them; on the run's server, or the one at `url`. */
export async function openDynamodbHarness(url?: string): Promise<DynamodbHarness> {
  const shop = await createTutorialShop("ALL", url);
  await shop.open().store.migrate();
  const receiver = await startHttpReceiver();
  let runtime: Runtime | undefined;
  let relays: StartedRelays | undefined;
  let logged = "";
  const harness: DynamodbHarness = {
    shop,
    receiver,
    yaml: (relay = [], endpoint = shop.tables.url) => `
stores:
  shop:
    kind: dynamodb
    region: eu-central-1
    endpoint: "${endpoint}"
    ownTable: ${shop.tables.prefix}own
    families:
      orders:
        table: ${shop.table}
        keyPrefix: "OUTBOX#"
        attributes: { event_type: text, payload: json, published: boolean, created_at: time, ttl: seconds }
        waiting: { index: unpublished, keys: ["yes"] }
        keepPublished: { attribute: ttl, days: 7 }
outboxes:
  orders:
    store: shop
    table: orders
    mode: relay
    columns: { id: SK, order: SK, aggregateId: PK, publishedAt: published }
    relay: { ${["sink: hook", "retry: { initial: 100ms, max: 500ms }", ...relay].join(", ")} }
sinks: { hook: { kind: http, url: "${receiver.url}/events", timeout: 10s, connectTimeout: 5s } }
`,
    async start(relay = [], edit = (yaml) => yaml) {
      const config = parseConfig(edit(harness.yaml(relay)), {}, "test");
      runtime = openRuntime({ config, applicationName: "test", env: {} });
      const write = (line: string) => {
        logged += line;
        if (process.env.RELAY_TEST_LOG) process.stderr.write(line);
      };
      const log = pino({ level: process.env.RELAY_TEST_LOG ?? "warn" }, { write });
      relays = await startRelays({ runtime, signal: new AbortController().signal, log });
    },
    async stop() {
      await relays?.stop();
      await runtime?.close();
      relays = undefined;
      runtime = undefined;
    },
    runtime() {
      if (!runtime) throw new Error("No relay was started.");
      return runtime;
    },
    logged: () => logged,
    async insert({ count, aggregates, from = 0 }) {
      const items = Array.from({ length: count }, (_, i): TestItem => {
        const aggregate = `a${i % aggregates}`;
        const payload = JSON.stringify({ aggregate, n: from + Math.floor(i / aggregates) });
        return eventItem({ aggregate, attributes: { payload: { S: payload } } });
      });
      await shop.tables.put(shop.table, items);
    },
    deliveries: () => receiver.requests.map((request) => JSON.parse(request.body.toString("utf8"))),
    unpublished: async () => (await shop.tables.all(shop.table)).filter(({ unpublished }) => unpublished).length,
    async waitUntilSent(timeoutMs = 60_000) {
      await waitFor(async () => (await harness.unpublished()) === 0, { timeoutMs, message: "all are marked" });
    },
    async close() {
      await harness.stop();
      await receiver.close();
      await shop.drop();
    },
  };
  return harness;
}
