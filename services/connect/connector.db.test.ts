import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { ADMIN, contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listAudit } from "../audit/list-audit.ts";
import { checkTables } from "../doctor/check-tables.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { explainMessage } from "../messages/explain-message.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { actOnConnector } from "./act-on-connector.ts";
import { getConnector } from "./get-connector.ts";
import { planOfOutbox } from "./plan-of-outbox.ts";

const database = testDatabase("migrated");
let connect: ConnectStandIn;
let runtime: Runtime;
let slot: string;

beforeEach(async () => {
  connect = await startConnectStandIn();
  slot = `slot_${database().name}`;
  await database().pool.query(`DROP TABLE IF EXISTS events;
    CREATE TABLE events (id int PRIMARY KEY, aggregatetype text NOT NULL, aggregateid text NOT NULL, type text NOT NULL,
      payload jsonb, published_at timestamptz);
    INSERT INTO events SELECT n, 'order', 'A-1', 'order.placed', '{}' FROM generate_series(1, 3) n`);
});

afterEach(async () => {
  await runtime.close();
  await connect.close();
  await database().pool.query(
    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1",
    [slot],
  );
});

function open(change: Record<string, unknown> = {}, masking: Record<string, unknown> = {}): void {
  const relay = { source: "debezium" as const, connect: connect.url, connector: "orders-connector", slot };
  const orders = { store: "shop", table: "events", mode: "operate" as const, relay, ...change };
  const sinks = { stdout: { kind: "log" as const } };
  runtime = openTestRuntime(database().url, { sinks, outboxes: { orders }, masking });
}

const outbox = "orders";
const createSlot = () => database().pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
const causes = async () => (await takeSnapshot({ runtime, outbox })).verdict.causes;

test("rows with a published mark that Debezium never sets are unknown, not waiting", async () => {
  await createSlot();
  open();
  const { counts, connector } = await takeSnapshot({ runtime, outbox });
  expect(counts).toMatchObject({ pending: { precision: "unknown" }, unknown: { value: 3 } });
  expect(connector).toMatchObject({ name: "orders-connector", state: "RUNNING" });
  const why = await explainMessage({ runtime, outbox, id: "1" });
  expect(why.summary).toContain("the offset of the connector orders-connector");
});

test("the slot of a paused connector is shown with the log that it keeps, in health and metrics too", async () => {
  await createSlot();
  await database().pool.query("CREATE TABLE bulk AS SELECT repeat('x', 100) FROM generate_series(1, 5000)");
  open();
  if (connect.connector) connect.connector.state = "PAUSED";
  const shown = await getConnector({ runtime, outbox });
  expect(shown).toMatchObject({ state: "PAUSED", slot: { name: slot, found: true, active: false }, refusal: null });
  expect(shown.slot?.lagBytes).toBeGreaterThan(500_000);
  expect(await causes()).toMatchObject([
    {
      rule: "connector",
      word: "paused",
      sentence: expect.stringMatching(/is paused since .*; its slot keeps .*B of log/),
    },
  ]);
  const check = (await checkHealth({ runtime, outbox })).checks?.["orders:connector"]?.[0];
  expect(check).toMatchObject({ status: "warn", observedUnit: "bytes" });
  const { text } = await renderMetrics({ runtime });
  expect(text).toMatch(/outbox_connector_log_kept_bytes\{outbox="orders"\} [1-9]/);
  expect(text).toContain('outbox_connector_running{outbox="orders"} 0');
});

test("a failed task is named with the first line of its trace, without its password", async () => {
  await createSlot();
  open();
  const trace = "PSQLException: cannot connect to postgres://app:s3cret@db/shop\n\tat x.Y";
  if (connect.connector) connect.connector.tasks = [{ id: 0, state: "FAILED", trace }];
  const [cause] = await causes();
  expect(cause).toMatchObject({
    rule: "connector",
    severity: "fail",
    sentence: expect.stringContaining("PSQLException: cannot connect"),
  });
  const shown = await getConnector({ runtime, outbox });
  expect(JSON.stringify([cause, shown])).not.toContain("s3cret");
});

test.each([
  ["a value that the registry marks in some type", { sensitive: ["note"] }, {}, /PSQLException: \{"note":"?\[masked\]/],
  ["a payload of a hidden type", { sensitive: [] }, { types: ["payroll.*"] }, /^Hidden: it may quote/],
])("a trace that quotes %s shows nothing of it", async (_, { sensitive }, masking, shown) => {
  await createSlot();
  const folder = mkdtempSync(join(tmpdir(), "outbox-registry-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const registry = join(folder, "events.json");
  const event = { version: 1, aggregate: "order", sensitive };
  writeFileSync(registry, JSON.stringify({ format: 1, events: { "order.placed": event } }));
  open({ registry }, masking);
  const trace = 'PSQLException: {"note":"zq7secret"} is no number\n\tat x.Y';
  if (connect.connector) connect.connector.tasks = [{ id: 0, state: "FAILED", trace }];
  const [cause] = await causes();
  const connector = await getConnector({ runtime, outbox });
  expect(JSON.stringify([cause, connector])).not.toContain("zq7secret");
  expect(connector.tasks[0]?.trace).toMatch(shown);
});

test("a slot that is not there is a failure while the connector says that it runs", async () => {
  open();
  expect(await causes()).toMatchObject([{ rule: "connector_slot", severity: "fail" }]);
});

test("another connector, and someone who marks rows, are second publishers, without their passwords", async () => {
  await createSlot();
  open();
  const { config = {} } = connect.connector ?? {};
  Object.assign(config, { "slot.name": slot, "database.hostname": "db", "database.dbname": "shop" });
  const other = { "table.include.list": "public.events", "slot.name": "other", "database.password": "0ther-s3cret" };
  const router = { "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter" };
  connect.others = { billing: { ...config, ...other, ...router } };
  await database().pool.query("UPDATE events SET published_at = now()");
  const found = (await causes()).filter(({ rule }) => rule === "second_publisher");
  expect(found.map(({ sentence }) => sentence).toSorted()).toEqual([
    expect.stringMatching(/^something other than the connector orders-connector marks rows of this table as published/),
    expect.stringMatching(/^the connector billing publishes this table in addition to the connector orders-connector/),
  ]);
  expect(JSON.stringify(found)).not.toContain("s3cret");
});

test("an act asks Connect, and its audit says who, why and how it ended", async () => {
  await createSlot();
  open();
  const ctx = contextOf(runtime, ADMIN);
  const after = await actOnConnector({ ctx, outbox, request: { act: "pause", reason: "INC-7" } });
  expect(after.state).toBe("PAUSED");
  connect.connector = null;
  const again = actOnConnector({ ctx, outbox, request: { act: "resume", reason: "INC-7" } });
  await expect(again).rejects.toMatchObject({ code: "wrong_state" });
  const { entries } = await listAudit({ runtime, query: { limit: 50 } });
  expect(
    entries
      .filter(({ action }) => action.startsWith("connector."))
      .map(({ action, outcome, reason }) => [action, outcome, reason]),
  ).toEqual([
    ["connector.resume", "refused", "INC-7"],
    ["connector.resume", "begun", "INC-7"],
    ["connector.pause", "done", "INC-7"],
    ["connector.pause", "begun", "INC-7"],
  ]);
});

test("an act is refused to a viewer, and of an outbox that is only observed", async () => {
  await createSlot();
  open();
  const viewer = contextOf(runtime, { name: "eve", role: "viewer" });
  const request = { act: "pause" as const, reason: "INC-7" };
  await expect(actOnConnector({ ctx: viewer, outbox, request })).rejects.toMatchObject({ code: "forbidden" });
  await runtime.close();
  open({ mode: "observe" });
  const ctx = contextOf(runtime, ADMIN);
  await expect(actOnConnector({ ctx, outbox, request })).rejects.toMatchObject({ code: "wrong_state" });
  expect(connect.acts).toEqual([]);
  expect((await getConnector({ runtime, outbox })).refusal).toContain("observed only");
});

test("doctor says who publishes, and that the connector does not run", async () => {
  await createSlot();
  open();
  if (connect.connector) connect.connector.state = "PAUSED";
  const [ok, bad]: [string[], string[]] = [[], []];
  await checkTables(runtime, { ok: (text) => ok.push(text), advise: () => undefined, bad: (text) => bad.push(text) });
  expect(ok.join("\n")).toContain("the connector orders-connector of Debezium publishes it; no relay here does");
  expect(bad).toContainEqual(expect.stringMatching(/^connector orders-connector at .*: PAUSED, tasks: RUNNING$/));
});

test("the statements of a plan run as they are printed", async () => {
  open();
  const { sql, config } = await planOfOutbox({ runtime, outbox });
  expect(config).toMatchObject({ "slot.name": slot, "transforms.outbox.table.field.event.key": "aggregateid" });
  const client = await database().pool.connect();
  try {
    await client.query("BEGIN");
    // A slot cannot be made in a transaction that has written.
    await client.query(sql.replace(/^SELECT pg_create_logical_replication_slot.*$/m, ""));
    const { rows } = await client.query("SELECT tablename FROM pg_publication_tables ORDER BY 1");
    expect(rows).toEqual([{ tablename: "debezium_heartbeat" }, { tablename: "events" }]);
    await client.query(config["heartbeat.action.query"] ?? "");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});
