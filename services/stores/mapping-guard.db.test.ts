import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { OUTBOX_EVENTS, OUTBOX_STATUS_TEXT } from "#tests/factories/layouts.ts";
import { LAYOUTS } from "#tests/factories/layouts-states.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { mappingBlock } from "../doctor/mapping-block.ts";
import { checkHealth } from "../health/check-health.ts";
import { acceptMapping } from "../mapping/accept-mapping.ts";
import { getMessage } from "../messages/get-message.ts";
import { performOperation } from "../operations/perform-operation.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { acceptFirstMapping } from "./accept-first-mapping.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
const opened: Runtime[] = [];

beforeEach(async () => {
  await database().pool.query(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.mapping_fingerprint, outbox_console.audit, outbox_console.operation, outbox_console.dead_letter, outbox_console.delivery",
  );
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function open(table: string, outbox: Record<string, unknown> = {}): void {
  runtime = openOperatedRuntime(database().url, table, outbox);
  opened.push(runtime);
}

const query = (sql: string) => database().pool.query(sql);
const summary = async () => (await listOutboxes({ runtime })).outboxes.find(({ name }) => name === "orders");
const mappingCheck = async () => (await checkHealth({ runtime, outbox: "orders" })).checks?.["orders:mapping"]?.[0];
const handle = () => runtime.outbox("orders");

async function act(id: string) {
  const { version } = (await getMessage({ runtime, outbox: "orders", id })).message;
  const request = targetedRequestSchema.parse({ action: "dead-letter", targets: [{ id, version }], reason: "INC-1" });
  return performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
}

describe("the tutorial layouts", () => {
  test.each(LAYOUTS)("$name may be acted on without a word in the configuration", async ({ ddl, table, insert }) => {
    await query(ddl);
    const id = await insert(database().pool, "pending");
    open(table);
    expect((await handle()).stop).toBeNull();
    expect((await act(id)).done).toBe(1);
    expect((await query("SELECT accepted_by FROM outbox_console.mapping_fingerprint")).rows).toEqual([
      { accepted_by: "ada" },
    ]);
  });

  test("(e) with another default: its words are a guess", async () => {
    await query(OUTBOX_STATUS_TEXT.replace("'PENDING'", "'new'"));
    open("outbox");
    expect((await handle()).stop?.code).toBe("mapping_unsure");
  });

  test("with a further status, which may mean anything", async () => {
    await query(OUTBOX_EVENTS.replace("dispatched_at", "status text, dispatched_at"));
    open("outbox_events");
    expect((await handle()).stop).toMatchObject({
      code: "mapping_unsure",
      message:
        "The mapping of outbox orders is only likely: Does status really mark a message as published? No value of it is known yet.",
    });
  });
});

describe("a mapping that is only likely", () => {
  const TABLES = [
    ["a time", "sent_at timestamptz"],
    ["a flag", "processed boolean"],
    ["free words", "status text DEFAULT 'open'"],
    ["an enum", "status mood"],
    ["a name that YAML would read as something else", '"Yes: no" text, "sent at" timestamptz'],
  ];

  test.each(TABLES)("%s: refused, and the block of doctor answers it", async (_, column) => {
    await query(`CREATE TYPE mood AS ENUM ('NEW', 'DONE', 'DEAD')`);
    await query(`CREATE TABLE box (id int PRIMARY KEY, event_type text, payload json, ${column})`);
    await query("INSERT INTO box (id, payload) VALUES (1, '{}')");
    open("box");
    const { stop } = await handle();
    expect(stop?.code).toBe("mapping_unsure");
    await expect(act("1")).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("only likely"),
    });
    expect(await summary()).toMatchObject({
      figures: expect.anything(),
      problem: expect.stringContaining("only likely"),
    });
    expect(await mappingCheck()).toMatchObject({ status: "fail", output: stop?.message, hint: stop?.remedy });
    const before = (await handle()).mapping;
    const pasted = parse(mappingBlock(await handle())).outboxes.orders;
    expect(pasted).toMatchObject({ store: "shop", table: "public.box" });
    open("box", pasted);
    const after = await handle();
    expect(after.stop).toBeNull();
    expect(after.mapping.lifecycle.kind).toBe(before.lifecycle.kind);
    expect((await act("1")).done).toBe(1);
  });
});

describe("a lifecycle that lacks its column", () => {
  const PROCESSED = `CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), status text);
    INSERT INTO outbox SELECT i, 'a', '{}', now(), 'processed' FROM generate_series(1, 500) i`;

  test("observed: 500 processed rows do not become pending when their status is dropped", async () => {
    await query(PROCESSED);
    open("outbox", { mode: "observe" });
    expect((await summary())?.figures?.pending.value).toBe(0);
    await query("ALTER TABLE outbox DROP status");
    await runtime.refresh("shop");
    expect((await handle()).stop).toMatchObject({ code: "lifecycle_missing", severity: "warn" });
    expect(await summary()).toMatchObject({
      figures: null,
      problem: expect.stringContaining("No column of public.outbox shows whether a message was published."),
    });
    expect(await mappingCheck()).toMatchObject({ status: "warn" });
    expect((await getMessage({ runtime, outbox: "orders", id: "1" })).message.state).toBe("unknown");
    expect(mappingBlock(await handle())).toContain("lifecycle: { kind: delete }");
  });

  test.each([
    ["a status", { lifecycle: { kind: "status" } }],
    ["a time", { lifecycle: { kind: "timestamp" } }],
    ["a flag", { lifecycle: { kind: "flag" } }],
    ["a column", { columns: { publishedAt: "shipped_on" } }],
  ])("%s that is written but not there is a problem in every mode, and is listed", async (_, outbox) => {
    await query("CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz)");
    for (const mode of ["observe", "operate"]) {
      open("outbox", { ...outbox, mode });
      expect(await summary()).toMatchObject({
        figures: null,
        problem: expect.stringMatching(/shipped_on|lifecycle\.kind is/),
      });
      const { checks, status } = await checkHealth({ runtime, outbox: "orders" });
      expect(status).toBe("fail");
      expect(JSON.stringify(checks)).toMatch(/shipped_on|lifecycle.kind is/);
    }
  });
});

describe("a table that changed after it was accepted", () => {
  const SWAP =
    "ALTER TABLE outbox_events ADD seen_at timestamptz; ALTER TABLE outbox_events RENAME dispatched_at TO updated_at; ALTER TABLE outbox_events RENAME seen_at TO dispatched_at";

  async function accepted(): Promise<void> {
    await query(OUTBOX_EVENTS);
    await query(
      "INSERT INTO outbox_events (id, event_type, payload) SELECT gen_random_uuid(), 'a', '{}' FROM generate_series(1, 3)",
    );
    open("outbox_events");
    expect((await act(await anId())).done).toBe(1);
  }
  const anId = async () => (await query("SELECT id FROM outbox_events LIMIT 1")).rows[0].id as string;

  test("actions are refused, it stays listed with its problem, and acts again once accepted", async () => {
    await accepted();
    await query(SWAP);
    await runtime.refresh("shop");
    const said = "dispatched_at of public.outbox_events is a different column of the same name";
    await expect(act(await anId())).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining(said),
    });
    expect(await summary()).toMatchObject({
      figures: null,
      problem: expect.stringContaining("--accept-mapping orders"),
    });
    expect(await mappingCheck()).toMatchObject({ status: "fail", output: expect.stringContaining(said) });
    expect(await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null })).toContain("Accepted");
    await runtime.refresh("shop");
    expect((await act(await anId())).done).toBe(1);
    const audited = await query("SELECT actor, role, detail FROM outbox_console.audit WHERE action = 'mapping.accept'");
    expect(audited.rows).toEqual([{ actor: expect.any(String), role: "admin", detail: expect.stringContaining(said) }]);
  });

  async function acceptedAs(named: string): Promise<string> {
    const layout = LAYOUTS.find(({ name }) => name === named);
    if (!layout) throw new Error(`${named} is missing`);
    await query(layout.ddl);
    const id = await layout.insert(database().pool, "pending");
    open(layout.table);
    expect((await act(id)).done).toBe(1);
    return layout.table;
  }

  test.each([
    ["a status", "(e)", "dead boolean NOT NULL DEFAULT true"],
    ["a status", "(e)", "cancelled_at timestamptz"],
    ["a published time", "(a)", "dead boolean NOT NULL DEFAULT false"],
  ])("a mark added beside %s is a question, and says no row's state until it is accepted", async (_, named, column) => {
    const table = await acceptedAs(named);
    await query(`ALTER TABLE ${table} ADD ${column}`);
    await runtime.refresh("shop");
    const { stop } = await handle();
    expect(stop).toMatchObject({ code: "mapping_changed", severity: "fail" });
    expect(stop?.message).toContain(
      `${column.split(" ")[0]} was added to ${table} after the mapping was accepted, and would say a row's state`,
    );
    expect(await summary()).toMatchObject({ figures: null });
    // Next to a time column the new reading is a separate question, which the configuration answers.
    if (named === "(a)") return;
    await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null });
    await runtime.refresh("shop");
    expect((await handle()).stop).toBeNull();
  });

  test("a column that a claim or a limit of attempts would use is left out until it is accepted", async () => {
    const table = await acceptedAs("(e)");
    await query(`ALTER TABLE ${table} ADD max_attempts int, ADD is_locked boolean, ADD note text`);
    await runtime.refresh("shop");
    const { stop, mapping } = await handle();
    expect(stop).toBeNull();
    expect(mapping).not.toHaveProperty("attemptsLimit");
    expect((mapping.resets ?? []).map(({ column }) => column.name)).not.toContain("is_locked");
  });

  test("within the minute in which the console still has the old catalog, no verb changes anything", async () => {
    await accepted();
    const id = await anId();
    await handle();
    await query(SWAP);
    const operation = await act(id);
    expect(operation.outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect((await query("SELECT count(*)::int AS n FROM outbox_events")).rows).toEqual([{ n: 2 }]);
  });

  test("nothing is accepted while a question is open, or where it is observed only", async () => {
    await accepted();
    await query("ALTER TABLE outbox_events DROP dispatched_at");
    await runtime.refresh("shop");
    await expect(acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null })).rejects.toThrow(
      "No column of public.outbox_events shows whether",
    );
    open("outbox_events", { mode: "observe" });
    await expect(acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null })).rejects.toThrow(
      "observed only",
    );
    await expect(acceptMapping({ runtime, outbox: "nobody", actor: ADMIN, reason: null })).rejects.toThrow(
      'There is no outbox named "nobody"',
    );
  });
});

describe("a table that changes under a running relay", () => {
  test("is the cause as soon as the relay has fallen silent, and not that no relay is alive", async () => {
    await query(OUTBOX_EVENTS);
    open("outbox_events", { mode: "relay", relay: { sink: "stdout" } });
    await acceptFirstMapping(runtime, await handle(), "ada");
    await query("TRUNCATE outbox_console.relay_instance");
    await query(
      `INSERT INTO outbox_console.relay_instance (outbox, id, host, pid, version, state, source, sink, latency)
       VALUES ('orders', 'a', 'shop-1', 1, '1', 'owner', 'polling', '{}', '{}')`,
    );
    runtime.reread();
    expect((await takeSnapshot({ runtime, outbox: "orders" })).verdict.word).toBe("delivering");
    // No read of the console fails because of this change.
    await query("ALTER TABLE outbox_events ALTER event_type TYPE varchar(90)");
    await query("UPDATE outbox_console.relay_instance SET heartbeat_at = clock_timestamp() - interval '1 minute'");
    await waitFor(
      async () => {
        const output = Object.values((await checkHealth({ runtime, outbox: "orders" })).checks ?? {}).flat();
        const said = output.map((check) => check.output ?? "").join("; ");
        expect(said).not.toContain("no relay is alive");
        return /event_type of public\.outbox_events is varchar\(90\); it was text/.test(said);
      },
      { message: "the change is named" },
    );
  });

  test("is named in the first answer, where a column of it is gone", async () => {
    await query(OUTBOX_EVENTS);
    open("outbox_events");
    await acceptFirstMapping(runtime, await handle(), "ada");
    runtime.reread();
    expect((await takeSnapshot({ runtime, outbox: "orders" })).verdict.word).toBe("delivering");
    await query("ALTER TABLE outbox_events RENAME dispatched_at TO sent");
    // The next reading is a new one.
    const gone = /no longer fits the mapping .* dispatched_at of public\.outbox_events is gone/;
    await waitFor(
      async () => {
        const failure = await takeSnapshot({ runtime, outbox: "orders" }).then(
          () => null,
          (error: Error) => error.message,
        );
        if (failure !== null) expect(failure).toMatch(gone);
        return failure !== null;
      },
      { message: "the change is named" },
    );
  });
});
