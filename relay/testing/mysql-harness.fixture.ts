import { pino } from "pino";
import { cdcNames } from "#services/config/cdc-names.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { createMysqlDatabase, type MysqlFlavor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type StartedRelays, startRelays } from "../start-relays.ts";
import type { Delivery } from "./outbox.fixture.ts";

export const MYSQL_OUTBOX_DDL = `CREATE TABLE outbox_events (
  id char(36) NOT NULL PRIMARY KEY, seq bigint NOT NULL AUTO_INCREMENT UNIQUE, aggregate_type varchar(100) NOT NULL,
  aggregate_id varchar(100) NOT NULL, event_type varchar(100) NOT NULL, payload json NOT NULL,
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, KEY pending (published_at, seq))`;

export interface MysqlHarness {
  database: MysqlTestDatabase;
  receiver: HttpReceiver;
  /** Starts the relays of this process over the database, which read the log. */
  start(mark?: "column" | "delete" | "none"): Promise<void>;
  stop(): Promise<void>;
  /** That of its relays, once they are started. */
  readonly runtime: Runtime;
  /** Log lines of its relays, warnings or worse. */
  logged(): string;
  deliveries(): Delivery[];
  /** `count` events, `aggregates` in turn: payload {"aggregate": a, "n": position within the aggregate}. */
  insert(input: { count: number; aggregates?: number; from?: number }): Promise<void>;
  /** Resolves once so many requests have come. */
  received(count: number): Promise<void>;
  /** Resolves once the relay's heartbeat says that it reads the log. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

const READER = "mysql_harness";

/** A MySQL database with an outbox and a reader of its log, a receiver, and relays to start between them. */
export async function openMysqlHarness(flavor: MysqlFlavor): Promise<MysqlHarness> {
  const database = await createMysqlDatabase(flavor);
  const receiver = await startHttpReceiver();
  await database.query(MYSQL_OUTBOX_DDL);
  let runtime: Runtime | undefined;
  let relays: StartedRelays | undefined;
  let logged = "";
  // On a slow machine a failing message must not run out of attempts.
  const yaml = (mark: string) => `
stores: { shop: { kind: mysql, url: "${database.url}", ownDatabase: ${database.own.database} } }
outboxes:
  orders: { store: shop, table: outbox_events, mode: relay, relay: { sink: hook, source: cdc, cdc: { slot: ${READER}, mark: ${mark} }, retry: { initial: 100ms, max: 500ms }, maxAttempts: 1000 } }
sinks: { hook: { kind: http, url: "${receiver.url}/events", timeout: 10s } }
`;

  const harness: MysqlHarness = {
    database,
    receiver,
    async start(mark = "column") {
      runtime = openRuntime({ config: parseConfig(yaml(mark), {}, "test"), applicationName: "relay test", env: {} });
      await createReaders(runtime);
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
    get runtime() {
      if (!runtime) throw new Error("The relays are not started.");
      return runtime;
    },
    logged: () => logged,
    deliveries: () => receiver.requests.map((request) => JSON.parse(request.body.toString("utf8"))),
    async insert({ count, aggregates = 1, from = 0 }) {
      const rows = Array.from({ length: count }, (_, index) => {
        const aggregate = `a${index % aggregates}`;
        const payload = JSON.stringify({ aggregate, n: from + Math.floor(index / aggregates) });
        return `(UUID(), 'order', '${aggregate}', 'order.changed', '${payload}')`;
      });
      await database.query(
        `INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload) VALUES ${rows.join(", ")}`,
      );
    },
    received: async (count) => void (await receiver.waitForRequests(count)),
    connected: () =>
      waitFor(
        async () => {
          const [row] = await database.query(
            `SELECT stream FROM ${database.own.database}.relay_instance ORDER BY heartbeat_at DESC LIMIT 1`,
          );
          return row?.stream != null && (JSON.parse(row.stream) as { connected: boolean }).connected;
        },
        { message: "the log is read" },
      ).then(() => undefined),
    async close() {
      await harness.stop();
      await receiver.close();
      await database.dropByForce();
    },
  };
  return harness;
}

/** As `npm run migrate -- --cdc` does. */
async function createReaders(runtime: Runtime): Promise<void> {
  for (const handle of (await runtime.tables()).outboxes) {
    const { name, config } = handle;
    if (config.relay) await outboxOf(handle).createStream(cdcNames(name, config.relay.cdc));
  }
}
