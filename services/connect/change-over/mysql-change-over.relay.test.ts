import type mysql from "mysql2/promise";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { type StartedRelays, startRelays } from "#relay/start-relays.ts";
import { MYSQL_OUTBOX_DDL } from "#relay/testing/mysql-harness.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay-sink.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { ADMIN } from "#tests/factories/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { createMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PAUSE_REASON } from "./change-over.ts";
import { changeFromRelay } from "./from-relay.ts";
import { changeToRelay } from "./to-relay.ts";

let database: MysqlTestDatabase;
let receiver: HttpReceiver;
let connect: ConnectStandIn;
let runtime: Runtime | undefined;
let relays: StartedRelays | undefined;
let said: string[];

beforeEach(async () => {
  database = await createMysqlDatabase("mysql");
  [receiver, connect] = await Promise.all([startHttpReceiver(), startConnectStandIn()]);
  await database.query(MYSQL_OUTBOX_DDL);
  said = [];
  Object.assign(connect.connector ?? {}, {
    config: {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "table.include.list": `${database.name}.outbox_events`,
    },
    offsets: [],
  });
});

afterEach(async () => {
  await stopRelay();
  await runtime?.close();
  runtime = undefined;
  await Promise.all([receiver.close(), connect.close(), database.dropByForce()]);
});

/** A runtime by the configuration of the relay, or with a connector in its place. */
async function by(publisher: "relay" | "connector"): Promise<Runtime> {
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
}

async function startRelay(): Promise<void> {
  const of = { runtime: await by("relay"), signal: new AbortController().signal };
  relays = await startRelays({ ...of, log: pino({ level: "silent" }) });
}

async function stopRelay(): Promise<void> {
  await relays?.stop();
  relays = undefined;
}

interface Change {
  act?: boolean;
  openSink?: OpenReplaySink;
}

async function input(publisher: "relay" | "connector", change: Change) {
  const say = (line: string) => void said.push(line);
  const opened = relays && publisher === "relay" && runtime ? runtime : await by(publisher);
  return { runtime: opened, outbox: "orders", actor: ADMIN, act: true, openSink: openReplaySink, say, ...change };
}

const fromRelay = async (change: Change = {}) => changeFromRelay(await input("relay", change));
const toRelay = async (change: Change = {}) => changeToRelay(await input("connector", change), { fromSlot: false });

const write = (...ids: string[]) => database.query(insertOf(ids));
const insertOf = (ids: readonly string[]) =>
  `INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload) VALUES ${ids
    .map((id) => `('${id}', 'order', '${id[0]}', 'x', JSON_OBJECT('id', '${id}'))`)
    .join(", ")}`;
const delivered = () =>
  receiver.requests.map(({ body }) => (JSON.parse(body.toString("utf8")) as { id: string }).id).toSorted();
const unsent = async () =>
  (await database.query("SELECT id FROM outbox_events WHERE published_at IS NULL ORDER BY seq")).map(({ id }) => id);
const paused = async () => (await database.query(`SELECT reason FROM ${database.own.database}.pause`))[0]?.reason;
const records = async () => database.query(`SELECT reader FROM ${database.own.database}.binlog_reader`);
/** The offset that the command says to give to the connector. */
const handed = () => {
  const [, body = ""] = /-X PATCH .* --data '(.*)' /.exec(said.join("\n")) ?? [];
  return (JSON.parse(body) as { offsets: NonNullable<ConnectStandIn["connector"]>["offsets"] }).offsets;
};
const store = (offset: Record<string, unknown>) =>
  connect.connector?.offsets.splice(0, 1, { partition: { server: "orders" }, offset });

test("there and back: an open transaction is the connector's, and what it did not publish is the relay's again", async () => {
  await startRelay();
  await write("a1", "a2");
  await receiver.waitForRequests(2);
  const open: mysql.Connection = await database.connect();
  await open.query("BEGIN");
  await open.query(insertOf(["b1"]));
  await fromRelay();
  expect([await paused(), await unsent(), await records()]).toEqual([
    PAUSE_REASON,
    [],
    [{ reader: "debezium_orders" }],
  ]);
  const [{ partition, offset } = { partition: {}, offset: {} }] = handed();
  expect(partition).toEqual({ server: "orders-connector" });
  await open.query("COMMIT");
  await write("c1");

  store(offset ?? {});
  await toRelay();
  expect([await paused(), await unsent(), await records()]).toEqual([undefined, ["b1", "c1"], []]);
  expect(connect.acts).toEqual(["PUT /connectors/orders-connector/stop"]);
  await startRelay();
  await waitFor(async () => (await unsent()).length === 0, { message: "the relay publishes the rest" });
  expect(delivered()).toEqual(["a1", "a2", "b1", "c1"]);
});

test.each([
  ["by numbers of transactions", true],
  ["by file", false],
])("a place within a transaction, found %s, divides it by its events and rows", async (_, numbered) => {
  await fromRelay();
  const [{ offset } = { offset: null }] = handed();
  await startConnectionThatWrites(["x0"], ["x1", "x2", "x3"]);
  await write("y0");
  const { file, pos, gtids } = offset as { file: string; pos: number; gtids: string };
  const events = await database.query(`SHOW BINLOG EVENTS IN '${file}' FROM ${pos}`);
  const ours = events.filter(({ Info }) => Info?.includes(`${database.name}.outbox_events`));
  const begin = events.findLastIndex(
    (event, index) => event.Info === "BEGIN" && index < events.indexOf(ours[0] ?? event),
  );
  const inserts = events.flatMap(({ Event_type }, index) =>
    index > begin && Event_type?.startsWith("Write_rows") ? [index] : [],
  );
  const place = { file, pos: Number(events[begin]?.Pos), event: (inserts[1] ?? 0) - begin, row: 2 };
  store(numbered ? { ...place, gtids: await gtidsBefore(gtids, events, begin) } : place);
  await toRelay();
  expect(await unsent()).toEqual(["x3", "y0"]);
  expect(said.join("\n")).toContain("2 messages come after the position: the relay publishes them.");
});

async function startConnectionThatWrites(...statements: string[][]): Promise<void> {
  const connection = await database.connect();
  await connection.query("BEGIN");
  for (const ids of statements) await connection.query(insertOf(ids));
  await connection.query("COMMIT");
}

/** Other tests write to the same server: every transaction between the place and the event is taken as read. */
async function gtidsBefore(gtids: string, events: Record<string, string | null>[], index: number): Promise<string> {
  const between = events
    .slice(0, Math.max(0, index - 1))
    .flatMap(({ Info }) => /GTID_NEXT= '([^']+)'/.exec(Info ?? "")?.[1] ?? []);
  return [gtids, ...between].join(",");
}

test("a relay that starts after the way back does not take what was marked then for another relay's", async () => {
  await write("a1");
  const [end] = await database.query("SHOW MASTER STATUS");
  store({ file: end?.File, pos: Number(end?.Position), gtids: end?.Executed_Gtid_Set?.replace(/\s/g, "") });
  await toRelay();
  expect(await unsent()).toEqual([]);
  await startRelay();
  const begun = async () =>
    (await database.query(`SELECT state FROM ${database.own.database}.relay_instance`)).find(
      ({ state }) => state === "owner" || state === "holding",
    );
  expect(await waitFor(begun, { message: "the relay has begun" })).toEqual({ state: "owner" });
});

test("a connector that has failed is stopped like any other: what lies behind its offset is the relay's", async () => {
  await fromRelay();
  store(handed()[0]?.offset ?? {});
  await write("a1");
  const tasks = [{ id: 0, state: "FAILED", trace: "org.apache.kafka.connect.errors.ConnectException" }];
  Object.assign(connect.connector ?? {}, { state: "RUNNING", tasks });
  await toRelay();
  expect([connect.acts, await unsent()]).toEqual([["PUT /connectors/orders-connector/stop"], ["a1"]]);
});

test("a run that dies before its mark leaves no record; the next one repeats what was being sent", async () => {
  await write("a1", "a2");
  const dying: OpenReplaySink = async (asked) => {
    const sink = await openReplaySink(asked);
    const publish = async (...sent: Parameters<typeof sink.publish>) => {
      await sink.publish(...sent);
      throw new Error("killed");
    };
    return { ...sink, publish };
  };
  await expect(fromRelay({ openSink: dying })).rejects.toThrow("killed");
  expect([await records(), await paused()]).toEqual([[], PAUSE_REASON]);
  await fromRelay();
  const first = handed();
  expect(delivered()).toEqual(["a1", "a1", "a2", "a2"]);
  said = [];
  await fromRelay();
  expect(handed()).toEqual(first);
  expect(delivered()).toHaveLength(4);
});

test("a database that does not keep the mark is named, and no record is left", async () => {
  await write("a1");
  await database.query(
    "CREATE TRIGGER keeps BEFORE UPDATE ON outbox_events FOR EACH ROW SET NEW.published_at = OLD.published_at",
  );
  await expect(fromRelay()).rejects.toThrow("a trigger keeps it");
  expect(await records()).toEqual([]);
});

test("without --yes the steps are said and nothing is done", async () => {
  await write("a1");
  await fromRelay({ act: false });
  expect(said.join("\n")).toMatch(/1\. Pause outbox orders.*Record the position as debezium_orders.*Nothing was done/s);
  expect([await records(), await paused(), delivered()]).toEqual([[], undefined, []]);
});

test("what it does not understand it leaves alone", async () => {
  await fromRelay();
  await database.query(`DELETE FROM ${database.own.database}.pause`);
  await expect(fromRelay()).rejects.toThrow(
    /^A position is recorded as debezium_orders, and outbox orders is not paused: what its relay publishes now, a connector that begins there publishes too\./,
  );
  await expect(toRelay()).rejects.toThrow(
    /^Connect has stored no offset\. Nothing else says how far the connector came\./,
  );
  store({ file: "binlog.000001", pos: 4, gtids: "11111111-1111-1111-1111-111111111111:1-5" });
  await expect(toRelay()).rejects.toThrow(/transactions \(GTID\) that this server does not have/);
  store({ file: "binlog.999999", pos: 4 });
  await expect(toRelay()).rejects.toThrow(/The server does not send its binary log/);
  Object.assign(connect.connector?.config ?? {}, {
    "table.include.list": `${database.name}.outbox_events,shop.orders`,
  });
  await expect(toRelay()).rejects.toThrow(/also publishes shop\.orders, which would stop too/);
  Object.assign(connect.connector?.config ?? {}, {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  });
  await expect(toRelay()).rejects.toThrow(/^Connector orders-connector is not Debezium's connector for MySQL\.$/);
  connect.connector = null;
  await expect(toRelay()).rejects.toThrow(/^Kafka Connect at \S+ has no connector named orders-connector\.$/);
});

test("an XA transaction that is prepared holds up the place until it has ended", async () => {
  const open = await database.connect();
  const [xid] = [`'${database.name}'`];
  await open.query(`XA START ${xid}; ${insertOf(["a1"])}; XA END ${xid}; XA PREPARE ${xid}`);
  const change = fromRelay();
  await waitFor(async () => (await paused()) === PAUSE_REASON, { message: "the command has begun" });
  await open.query(`XA COMMIT ${xid}`);
  await change;
  expect([delivered(), await unsent()]).toEqual([["a1"], []]);
});
