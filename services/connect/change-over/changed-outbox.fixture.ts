import { pino } from "pino";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { type StartedRelays, startRelays } from "#relay/start-relays.ts";
import { MYSQL_OUTBOX_DDL } from "#relay/testing/mysql-harness.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { ADMIN } from "#tests/factories/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { createMysqlDatabase, type MysqlFlavor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { changeFromRelay } from "./from-relay.ts";
import { changeToRelay } from "./to-relay.ts";

const CLASSES: Record<MysqlFlavor, string> = {
  mysql: "io.debezium.connector.mysql.MySqlConnector",
  mariadb: "io.debezium.connector.mariadb.MariaDbConnector",
};

export type Offset = Record<string, unknown>;

interface Change {
  act?: boolean;
  openSink?: OpenReplaySink;
}

/** The outbox `orders`, with the relay, the connector of a stand-in for Kafka Connect, and both commands. */
export interface ChangedOutbox {
  database: MysqlTestDatabase;
  connect: ConnectStandIn;
  startRelay(): Promise<void>;
  fromRelay(change?: Change): Promise<void>;
  toRelay(change?: Change): Promise<void>;
  /** Lines of the commands since they were last taken. */
  said(): string;
  /** One row for each id, in one statement. */
  write(...ids: string[]): Promise<unknown>;
  /** The ids that the relay and the commands have published, sorted. */
  delivered(): string[];
  unsent(): Promise<(string | null | undefined)[]>;
  paused(): Promise<string | null | undefined>;
  /** Names of the records of places. */
  records(): Promise<string[]>;
  /** The offset that `--from-relay` says to give to the connector, with the partition. */
  handed(): { partition: Record<string, unknown>; offset: Offset | null };
  /** Makes it the connector's offset. */
  store(offset: Offset): void;
  close(): Promise<void>;
}

export async function openChangedOutbox(flavor: MysqlFlavor): Promise<ChangedOutbox> {
  const database = await createMysqlDatabase(flavor);
  const [receiver, connect] = await Promise.all([startHttpReceiver(), startConnectStandIn()]);
  await database.query(MYSQL_OUTBOX_DDL);
  const config = { "connector.class": CLASSES[flavor], "table.include.list": `${database.name}.outbox_events` };
  Object.assign(connect.connector ?? {}, { config, offsets: [] });
  const publishers = publishersOf({ database, receiver, connect });
  let said: string[] = [];
  const takeSaid = () => {
    const lines = said.join("\n");
    said = [];
    return lines;
  };
  const input = async (publisher: "relay" | "connector", change: Change) => {
    const say = (line: string) => void said.push(line);
    const runtime = await publishers.runtime(publisher);
    return { runtime, outbox: "orders", actor: ADMIN, act: true, openSink: openReplaySink, say, ...change };
  };
  return {
    ...{ database, connect, startRelay: publishers.startRelay },
    fromRelay: async (change = {}) => changeFromRelay(await input("relay", change)),
    toRelay: async (change = {}) => changeToRelay(await input("connector", change), { fromSlot: false }),
    said: takeSaid,
    ...rowsOf({ database, receiver }),
    handed() {
      const [, body = ""] = /-X PATCH .* --data '(.*)' /.exec(takeSaid()) ?? [];
      const { offsets } = JSON.parse(body) as { offsets: ReturnType<ChangedOutbox["handed"]>[] };
      return offsets[0] ?? { partition: {}, offset: null };
    },
    store: (offset) => void connect.connector?.offsets.splice(0, 1, { partition: { server: "orders" }, offset }),
    async close() {
      await publishers.close();
      await Promise.all([receiver.close(), connect.close(), database.dropByForce()]);
    },
  };
}

interface World {
  database: MysqlTestDatabase;
  receiver: HttpReceiver;
  connect: ConnectStandIn;
}

/** One at a time: a runtime by the configuration of the relay, with the relay or without it, or of a connector. */
function publishersOf({ database, receiver, connect }: World) {
  let runtime: Runtime | undefined;
  let relays: StartedRelays | undefined;
  const stopRelay = async () => {
    await relays?.stop();
    relays = undefined;
  };
  const by = async (publisher: "relay" | "connector") => {
    await stopRelay();
    await runtime?.close();
    const lines = {
      relay: "mode: relay, relay: { sink: hook, retry: { initial: 100ms, max: 500ms } }",
      connector: `mode: operate, relay: { source: debezium, connect: "${connect.url}", connector: orders-connector }`,
    };
    const yaml = `
stores: { shop: { kind: mysql, url: "${database.url}", ownDatabase: ${database.own.database} } }
sinks: { hook: { kind: http, url: "${receiver.url}/events" } }
outboxes:
  orders: { store: shop, table: outbox_events, ${lines[publisher]} }
`;
    runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "test", env: {} });
    return runtime;
  };
  return {
    runtime: async (publisher: "relay" | "connector") =>
      relays && publisher === "relay" && runtime ? runtime : by(publisher),
    async startRelay() {
      const of = { runtime: await by("relay"), signal: new AbortController().signal };
      relays = await startRelays({ ...of, log: pino({ level: "silent" }) });
    },
    async close() {
      await stopRelay();
      await runtime?.close();
    },
  };
}

export function insertOf(ids: readonly string[]): string {
  const rows = ids.map((id) => `('${id}', 'order', '${id[0]}', 'x', JSON_OBJECT('id', '${id}'))`);
  return `INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload) VALUES ${rows.join(", ")}`;
}

function rowsOf({ database, receiver }: Pick<World, "database" | "receiver">) {
  const { own } = database;
  return {
    write: (...ids: string[]) => database.query(insertOf(ids)),
    delivered: () =>
      receiver.requests.map(({ body }) => (JSON.parse(body.toString("utf8")) as { id: string }).id).toSorted(),
    unsent: async () =>
      (await database.query("SELECT id FROM outbox_events WHERE published_at IS NULL ORDER BY seq")).map(
        ({ id }) => id,
      ),
    paused: async () => (await database.query(`SELECT reason FROM ${own.database}.pause`))[0]?.reason,
    records: async () =>
      (await database.query(`SELECT reader FROM ${own.database}.binlog_reader`)).map(({ reader }) => reader ?? ""),
  };
}
