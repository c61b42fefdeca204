import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { mappingBlock } from "../doctor/mapping-block.ts";
import { checkHealth } from "../health/check-health.ts";
import { previewMapping } from "../mapping/preview-mapping.ts";
import { explainMessage } from "../messages/explain-message.ts";
import { getMessage } from "../messages/get-message.ts";
import { listMessages } from "../messages/list-messages.ts";
import { performOperation } from "../operations/perform-operation.ts";
import { getOutbox } from "../outboxes/get-outbox.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { stopOfRecognition } from "./outbox-stop.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
const opened: Runtime[] = [];

beforeEach(async () => {
  await database().pool.query(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.mapping_fingerprint, outbox_console.audit, outbox_console.operation",
  );
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function open(table: string, outbox: Record<string, unknown> = {}): void {
  runtime = openOperatedRuntime(database().url, table, outbox);
  opened.push(runtime);
}

const query = (sql: string) => database().pool.query(sql);
const summary = async () => (await listOutboxes({ runtime })).outboxes.find(({ name }) => name === "orders");

async function act(action: "retry" | "dead-letter", id: string) {
  const { version } = (await getMessage({ runtime, outbox: "orders", id })).message;
  const request = targetedRequestSchema.parse({ action, targets: [{ id, version }], reason: "INC-1" });
  return performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
}

describe("a table whose rows a reader of the log publishes", () => {
  beforeEach(async () => {
    await query(`CREATE TABLE outboxevent (id int PRIMARY KEY, aggregatetype text NOT NULL, aggregateid text NOT NULL, type text NOT NULL, payload jsonb);
      INSERT INTO outboxevent SELECT n, 'order', 'A-1', 'order.placed', '{}' FROM generate_series(1, 3) n`);
  });

  test("its rows are unknown, never pending, and the place of the truth is named everywhere", async () => {
    open("outboxevent");
    const snapshot = await takeSnapshot({ runtime, outbox: "orders" });
    expect(snapshot.counts).toMatchObject({ unknown: { value: 3 }, pending: { value: 0 }, published: { value: 0 } });
    expect(snapshot.verdict.cause).toContain("keeps that in the replication slot");
    expect(snapshot.verdict.causes.map(({ rule }) => rule)).not.toContain("unknown_status");
    expect(await summary()).toMatchObject({ problem: expect.stringContaining("replication slot") });
    const check = (await checkHealth({ runtime, outbox: "orders" })).checks?.["orders:mapping"]?.[0];
    expect(check).toMatchObject({ status: "warn", output: expect.stringContaining("replication slot") });
    const why = await explainMessage({ runtime, outbox: "orders", id: "1" });
    expect(why.summary).toContain("keeps that in the replication slot");
  });

  test("nothing can be done to them, with the reason", async () => {
    open("outboxevent");
    await expect(act("dead-letter", "1")).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("replication slot"),
    });
    const { capabilities } = await getOutbox({ runtime, outbox: "orders" });
    expect(capabilities.actions.retry).toMatchObject({ possible: false, reason: expect.stringContaining("Debezium") });
  });

  test("a configured lifecycle is worth more: then every row waits", async () => {
    open("outboxevent", { lifecycle: { kind: "delete" } });
    expect((await takeSnapshot({ runtime, outbox: "orders" })).counts.pending.value).toBe(3);
  });
});

describe("a library's table", () => {
  beforeEach(async () => {
    await query(`CREATE TABLE txno_outbox (id varchar(36) PRIMARY KEY, invocation text, nextattempttime timestamp(6), attempts int, blocked boolean, version int, processed boolean, topic varchar(250) NOT NULL DEFAULT '*');
      INSERT INTO txno_outbox VALUES ('a', '{}', '2020-01-01', 5, true, 1, false)`);
  });

  test("is not published by our relay", async () => {
    open("txno_outbox", { mode: "observe" });
    const handle = await runtime.outbox("orders");
    const config = { ...handle.config, mode: "relay" as const };
    expect(stopOfRecognition({ ...handle, config })).toMatchObject({
      code: "library_publishes",
      severity: "fail",
      message: expect.stringContaining("which publishes it itself"),
    });
  });

  test("is not published either once its mapping was accepted for an operator", async () => {
    open("txno_outbox");
    expect((await act("retry", "a")).done).toBe(1);
    open("txno_outbox", { mode: "relay", relay: { sink: "stdout" } });
    const handle = await runtime.outbox("orders");
    expect(handle.accepted).not.toBeNull();
    expect(handle.stop).toMatchObject({ code: "library_publishes", severity: "fail" });
  });

  test("of a shape that is not known, or not this table's, is a problem and no guess", async () => {
    for (const [shape, said] of [
      ["gruelbx", "no outbox of a library is known by that name"],
      ["oncebox", "the columns of public.txno_outbox are not those of oncebox"],
    ]) {
      open("txno_outbox", { shape });
      const { problems } = await listOutboxes({ runtime });
      expect(problems.map(({ message }) => message).join()).toContain(said);
    }
  });

  test("is accepted as it is at the first action, and a migration of its columns stops the next", async () => {
    open("txno_outbox");
    expect((await act("retry", "a")).done).toBe(1);
    expect((await query("SELECT blocked, attempts FROM txno_outbox")).rows).toEqual([{ blocked: false, attempts: 0 }]);
    await query("ALTER TABLE txno_outbox RENAME blocked TO stopped");
    await runtime.refresh("shop");
    expect((await runtime.outbox("orders")).stop).toMatchObject({
      code: "mapping_changed",
      message: expect.stringContaining("blocked of public.txno_outbox is gone"),
    });
  });

  test("under another name is a question, which the shape answers", async () => {
    await query("ALTER TABLE txno_outbox RENAME TO jobs_to_run");
    open("jobs_to_run");
    const { stop } = await runtime.outbox("orders");
    expect(stop).toMatchObject({ code: "mapping_unsure", message: expect.stringContaining("shape: gruelbox") });
    const { shape } = parse(mappingBlock(await runtime.outbox("orders"))).outboxes.orders;
    expect(shape).toBe("gruelbox");
    open("jobs_to_run", { shape });
    expect((await runtime.outbox("orders")).stop).toBeNull();
    open("jobs_to_run", { shape: "none" });
    expect((await runtime.outbox("orders")).mapping.shape).not.toBe("gruelbox");
  });
});

describe("another mapping tried on a table", () => {
  const proposal = {
    columns: { status: "state" },
    lifecycle: { kind: "status" as const, pending: ["0"], published: ["2"], dead: ["9"] },
  };

  beforeEach(async () => {
    await query(`CREATE TABLE box (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), state smallint);
      INSERT INTO box SELECT n, 'order.placed', '{}', now(), CASE WHEN n <= 4 THEN 0 WHEN n <= 7 THEN 9 WHEN n = 8 THEN 7 ELSE 2 END FROM generate_series(1, 30) n`);
  });

  test("shows states, what each button writes, and the lines for the configuration; writes nothing", async () => {
    open("box", { mode: "observe" });
    const preview = await previewMapping({ ctx: contextOf(runtime), subject: { outbox: "orders" }, proposal });
    expect(preview.counts).toMatchObject({ pending: { value: 4 }, dead: { value: 3 }, unknown: { value: 1 } });
    expect(preview.rows).toHaveLength(20);
    expect(preview.values).toMatchObject({
      column: "state",
      read: 30,
      values: expect.arrayContaining([{ value: "7", rows: 1, state: "unknown" }]),
    });
    expect(preview.warnings).toContainEqual(expect.stringContaining("1 row is unknown"));
    expect(preview.statements[0]?.sql).toMatch(/^UPDATE "public"."box" SET "state" = '0' WHERE "id" = \$1$/);
    expect((await query("SELECT count(*)::int AS n FROM box WHERE state = 9")).rows).toEqual([{ n: 3 }]);
    const pasted = parse(preview.yaml).outboxes.orders;
    open("box", { ...pasted, mode: "operate" });
    expect((await runtime.outbox("orders")).stop).toBeNull();
    expect(
      (await listMessages({ runtime, outbox: "orders", query: { state: "dead", limit: 10 } })).messages,
    ).toHaveLength(3);
  });

  test("a column that is not there is said, and nothing else is shown", async () => {
    open("box", { mode: "observe" });
    const preview = await previewMapping({
      ctx: contextOf(runtime),
      subject: { outbox: "orders" },
      proposal: { columns: { payload: "nothing" } },
    });
    expect(preview).toMatchObject({ problem: "public.box has no column nothing.", rows: [], statements: [] });
  });
});
