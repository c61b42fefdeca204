import { afterEach, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { getMessage } from "#services/messages/get-message.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import { missingIndexesOf } from "#services/outboxes/missing-indexes.ts";
import type { Runtime } from "#services/runtime.ts";
import { ADMIN, contextOf } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { openRelayRuntime } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const DDL = `
CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload text, created_at timestamptz DEFAULT now(), send_flag varchar(10));
CREATE INDEX box_open ON box (id) WHERE send_flag IS NULL`;
const settings = (lists = "pending: [null], inFlight: [], failed: [], published: [S], dead: [E]") => ({
  table: "public.box",
  outbox: ["columns: { status: send_flag }", `lifecycle: { kind: status, ${lists} }`],
});

let harness: RelayHarness | undefined;
const runtimes: Runtime[] = [];
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((one) => one.close()));
  await harness?.close();
});

function openConsole({ databaseUrl, receiver }: RelayHarness, lists?: string): Runtime {
  const runtime = openRelayRuntime({ databaseUrl, sinkUrl: receiver.url, ...settings(lists) });
  runtimes.push(runtime);
  return runtime;
}

test("rows without a status are published in order, and a retry of a dead one makes it such a row", async () => {
  harness = await openHarness(DDL);
  const { pool, receiver, scalar } = harness;
  receiver.answerWith(({ body }) => (body.toString("utf8") === "bad" ? { status: 400, body: "no" } : { status: 204 }));
  await pool.query(
    "INSERT INTO box (aggregate_id, event_type, payload, send_flag) VALUES ('a', 't', 'one', NULL), ('a', 't', 'bad', NULL), ('a', 't', 'three', NULL), ('b', 't', 'odd', 'X')",
  );
  await harness.start(settings());
  const flags = () => scalar("SELECT string_agg(coalesce(send_flag, 'NULL'), ' ' ORDER BY id) FROM box");
  await waitFor(async () => (await flags()) === "S E S X", { message: "all without a status are settled" });
  expect(receiver.requests.map(({ body }) => body.toString("utf8"))).toEqual(["one", "bad", "three"]);

  receiver.answerWith(() => ({ status: 204 }));
  const runtime = openConsole(harness);
  const { message } = await getMessage({ runtime, outbox: "orders", id: "2" });
  expect(message).toMatchObject({ state: "dead", rawStatus: "E" });
  const request = targetedRequestSchema.parse({
    action: "retry",
    targets: [{ id: "2", version: message.version }],
    reason: "INC-1",
  });
  await performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
  await waitFor(async () => (await flags()) === "S S S X", { message: "the retried one is published" });
});

/** The purpose and SQL of the index for waiting rows, if it is missing. */
async function missingIn(runtime: Runtime): Promise<(string | null)[]> {
  const found = await missingIndexesOf(await runtime.outbox("orders"));
  return found.filter(({ purpose }) => purpose.startsWith("Finding waiting messages")).map(({ sql }) => sql);
}

const MANY = `INSERT INTO box (aggregate_id, event_type, payload, send_flag) SELECT 'a', 't', repeat('x', 200), 'S' FROM generate_series(1, 30000);
  INSERT INTO box (aggregate_id, event_type, payload) SELECT 'b', 't', 'new' FROM generate_series(1, 5); ANALYZE box`;

test("the team's index of rows without a status serves the relay's claim and the console's counts", async () => {
  harness = await openHarness(DDL);
  const { pool } = harness;
  await pool.query(MANY);
  expect(await missingIn(openConsole(harness))).toEqual([]);
  await pool.query("DROP INDEX box_open");
  expect(await missingIn(openConsole(harness))).toEqual([expect.stringMatching(/ WHERE "send_flag" IS NULL;$/)]);
});

test("beside further words an index of all of them is advised, and then serves", async () => {
  harness = await openHarness(DDL);
  const { pool } = harness;
  await pool.query(MANY);
  const lists = "pending: [null, AGAIN], inFlight: [], failed: [F], published: [S], dead: [E]";
  const open = () => openConsole(harness as RelayHarness, lists);
  const [sql, ...others] = await missingIn(open());
  expect(others).toEqual([]);
  expect(sql).toContain(` WHERE ("send_flag" IS NULL OR "send_flag" IN ('AGAIN', 'F'));`);
  await pool.query(`${sql?.replace(" CONCURRENTLY", "")} ANALYZE box`);
  expect(await missingIn(open())).toEqual([]);
});
