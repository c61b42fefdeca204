import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { MappingProposal } from "#contracts/outbox/mapping.ts";
import type { Actor } from "#domain/operator.ts";
import { ADMIN, contextOf, OPERATOR } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listAudit } from "../audit/list-audit.ts";
import { loadConfig } from "../config/load-config.ts";
import { listMessages } from "../messages/list-messages.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import type { MappingSubject } from "./mapped-table.ts";
import { previewMapping } from "./preview-mapping.ts";
import { ignoreTable, saveMapping } from "./save-mapping.ts";

const database = testDatabase("migrated");
const query = (sql: string) => database().pool.query(sql);
const reason = "asked the orders team";

let folder: string;
let file: string;
const runtimes: Runtime[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outbox-console-save-"));
  file = join(folder, "outbox.yaml");
  await query(`DROP TABLE IF EXISTS box, letters_outbox, words;
    TRUNCATE outbox_console_app.audit, outbox_console.audit, outbox_console.mapping_fingerprint CASCADE;
    CREATE TABLE box (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), state smallint);
    INSERT INTO box SELECT n, 'order.placed', '{}', now(), CASE WHEN n <= 4 THEN 0 WHEN n <= 7 THEN 9 ELSE 2 END FROM generate_series(1, 30) n`);
});
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.close();
  rmSync(folder, { recursive: true });
});

/** Another process over the same file. */
function open(): Runtime {
  const env = { OUTBOX_CONFIG: file, SHOP_URL: database().url };
  const runtime = openRuntime({ config: loadConfig(env), applicationName: "outbox-console test", env, follow: true });
  runtimes.push(runtime);
  return runtime;
}

function write(
  outbox: Record<string, unknown>,
  more: Record<string, unknown> = {},
  others: Record<string, unknown> = {},
): void {
  const url = `$${"{SHOP_URL}"}`;
  const config = { console: { databaseUrl: url }, stores: { shop: { kind: "postgres", url } }, ...more };
  const outboxes = { orders: { store: "shop", table: "public.box", ...outbox }, ...others };
  writeFileSync(file, `# Owned by the orders team\n${JSON.stringify({ ...config, outboxes }, null, 2)}\n`);
}

const BY_STATE = {
  columns: { status: "state" },
  lifecycle: { kind: "status" as const, pending: ["0"], published: ["2"], dead: ["9"] },
};
const ORDERS = { outbox: "orders" };

interface Saved {
  subject: MappingSubject;
  actor: Actor;
  version: string;
  proposal: MappingProposal;
}

async function save(runtime: Runtime, options: Partial<Saved> = {}) {
  const { subject = ORDERS, actor = ADMIN, proposal = BY_STATE } = options;
  const ctx = contextOf(runtime, actor);
  const version = options.version ?? (await previewMapping({ ctx, subject, proposal })).save.version;
  return saveMapping({ ctx, subject, request: { proposal, version, reason } });
}

const dead = async (runtime: Runtime) =>
  (await listMessages({ runtime, outbox: "orders", query: { state: "dead", limit: 10 } })).messages.length;

describe("a saved mapping", () => {
  test("is in outbox.yaml, shown from then on, in the audit, and followed by other processes", async () => {
    write({});
    const [runtime, other] = [open(), open()];
    expect((await save(runtime)).message).toContain("The console now uses this mapping.");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("# Owned by the orders team");
    expect(parse(text).outboxes.orders).toMatchObject({ columns: { status: "state" }, lifecycle: BY_STATE.lifecycle });
    expect(await dead(runtime)).toBe(3);
    await waitFor(async () => (await dead(other)) === 3, { message: "the other process has the mapping" });
    const read = async () => (await listAudit({ runtime, query: { limit: 5 } })).entries;
    await expect.poll(async () => (await read()).length).toBe(2);
    expect(await read()).toMatchObject([
      { action: "config.reload", detail: expect.stringMatching(/^tables are read in another way: outboxes\.orders\./) },
      { action: "mapping.save", actor: "ada", outcome: "done", reason },
    ]);
  });

  test("may say that rows without a value are new", async () => {
    await query("UPDATE box SET state = NULL WHERE state = 0");
    write({});
    const runtime = open();
    const ctx = contextOf(runtime, ADMIN);
    const shown = async (proposal: MappingProposal | null) => {
      const { values, counts, statements } = await previewMapping({ ctx, subject: ORDERS, proposal });
      const retry = statements.find(({ action }) => action === "retry")?.sql;
      return { bare: values?.values.find(({ value }) => value === null)?.state, pending: counts.pending?.value, retry };
    };
    const before = { ...BY_STATE, lifecycle: { ...BY_STATE.lifecycle, pending: [] } };
    expect(await shown(before)).toMatchObject({ bare: "unknown", pending: 0 });
    const proposal = { ...BY_STATE, lifecycle: { ...BY_STATE.lifecycle, pending: [null] } };
    expect(await shown(proposal)).toMatchObject({
      bare: "pending",
      pending: 4,
      retry: expect.stringContaining('"state" = NULL'),
    });
    await save(runtime, { proposal });
    expect(parse(readFileSync(file, "utf8")).outboxes.orders.lifecycle.pending).toEqual([null]);
    const { mapping } = await runtime.outbox("orders");
    expect(mapping.lifecycle).toMatchObject({ pending: [null] });
  });

  test("of an operated outbox is accepted as well, so that its rows can be acted on", async () => {
    write({ mode: "operate" });
    const runtime = open();
    expect((await save(runtime)).message).toContain("Accepted: the mapping of outbox orders");
    const { stop, accepted } = await runtime.outbox("orders");
    expect(stop).toBeNull();
    expect(accepted?.lifecycle).toMatchObject({ kind: "status", column: "state" });
  });

  test("makes an outbox of a candidate, under the name that the page showed", async () => {
    await query("CREATE TABLE letters_outbox (id text PRIMARY KEY, event_id text, status text, attempts int)");
    write({});
    const runtime = open();
    const [candidate] = (await listOutboxes({ runtime })).candidates;
    const subject = { store: "shop", table: candidate?.table ?? "" };
    const columns = { payload: "event_id" };
    const lifecycle = { kind: "status" as const, pending: ["NEW"], published: ["SENT"] };
    const saved = await save(runtime, { subject, proposal: { columns, lifecycle } });
    const { outboxes, candidates } = await listOutboxes({ runtime });
    expect(outboxes.map(({ name }) => name)).toContain(saved.outbox);
    expect(candidates).toEqual([]);
  });

  test("mends an outbox that could not be mapped as it was configured", async () => {
    write({ columns: { payload: "nothing" } });
    const runtime = open();
    await expect(runtime.outbox("orders")).rejects.toMatchObject({ code: "unavailable" });
    const preview = await previewMapping({ ctx: contextOf(runtime, ADMIN), subject: ORDERS, proposal: null });
    expect(preview.problem).toContain("no column nothing");
    await save(runtime);
    expect(await dead(runtime)).toBe(3);
  });
});

test("words of a list stay as a person has written them, and guessed ones as the rows show them", async () => {
  await query("CREATE TABLE words (id int PRIMARY KEY, payload json, status text)");
  await query(
    "INSERT INTO words SELECT n, '{}', (ARRAY['NEW', 'RETRY', 'SENT', 'DONE'])[1 + n % 4] FROM generate_series(1, 8) n",
  );
  const lifecycle = { kind: "status" as const, pending: ["NEW", "RETRY"], published: ["SENT", "DONE"] };
  write({ table: "public.words", lifecycle });
  const runtime = open();
  const changed = { columns: { status: "status", payload: "payload" }, lifecycle };
  await save(runtime, { proposal: changed });
  const { pending, published } = parse(readFileSync(file, "utf8")).outboxes.orders.lifecycle;
  expect({ pending, published }).toEqual({ pending: ["NEW", "RETRY"], published: ["SENT", "DONE"] });
  const { counts } = await previewMapping({ ctx: contextOf(runtime, ADMIN), subject: ORDERS, proposal: null });
  expect(counts.unknown?.value).toBe(0);
});

test("two outboxes saved at the same moment are both saved", async () => {
  await query(
    "CREATE TABLE words (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz, state smallint)",
  );
  write({}, {}, { mails: { store: "shop", table: "public.words" } });
  const runtime = open();
  await Promise.all(["orders", "mails"].map((outbox) => save(runtime, { subject: { outbox } })));
  const { orders, mails } = parse(readFileSync(file, "utf8")).outboxes;
  expect([orders.lifecycle, mails.lifecycle]).toEqual([BY_STATE.lifecycle, BY_STATE.lifecycle]);
});

describe("nothing is saved", () => {
  const untouched = async (attempt: (runtime: Runtime) => Promise<unknown>, error: Record<string, unknown>) => {
    const before = readFileSync(file, "utf8");
    const runtime = open();
    await expect(attempt(runtime)).rejects.toMatchObject(error);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect((await listAudit({ runtime, query: { limit: 5 } })).entries).toEqual([]);
  };

  test("for anyone but an admin", async () => {
    write({});
    await untouched((runtime) => save(runtime, { actor: OPERATOR }), { code: "forbidden" });
  });

  test("where the configuration switches it off", async () => {
    write({}, { console: { databaseUrl: database().url, saveMappings: false } });
    await untouched((runtime) => save(runtime), {
      code: "wrong_state",
      message: expect.stringContaining("saveMappings"),
    });
  });

  test("by the second of two who started from the same file", async () => {
    write({});
    const runtime = open();
    const ctx = contextOf(runtime, ADMIN);
    const { version } = (await previewMapping({ ctx, subject: ORDERS, proposal: null })).save;
    const both = await Promise.allSettled([save(runtime, { version }), save(runtime, { version })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(save(runtime, { version })).rejects.toMatchObject({ code: "conflict" });
  });

  test("while a question is open", async () => {
    write({ mode: "operate" });
    await untouched(
      async (runtime) => {
        const ctx = contextOf(runtime, ADMIN);
        const { version } = (await previewMapping({ ctx, subject: ORDERS, proposal: null })).save;
        return saveMapping({ ctx, subject: ORDERS, request: { proposal: { columns: {} }, version, reason } });
      },
      { code: "wrong_state", message: expect.stringContaining("Answer this first") },
    );
  });

  test("if the audit cannot be written", async () => {
    write({});
    await query("ALTER TABLE outbox_console_app.audit RENAME TO audit_gone");
    const before = readFileSync(file, "utf8");
    await expect(save(open())).rejects.toThrow();
    await query("ALTER TABLE outbox_console_app.audit_gone RENAME TO audit");
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("nothing is left of a save", () => {
  test("whose audit row does not commit", async () => {
    write({});
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused at commit'; END $$;
      CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON outbox_console_app.audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const before = readFileSync(file, "utf8");
    const runtime = open();
    await expect(save(runtime)).rejects.toThrow();
    await query("DROP TRIGGER refused ON outbox_console_app.audit; DROP FUNCTION refuse");
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await dead(runtime)).toBe(0);
  });

  test("of a name that a person has given to another use without a restart", async () => {
    write({});
    const runtime = open();
    await runtime.tables();
    write({ mode: "operate" });
    const before = readFileSync(file, "utf8");
    await expect(save(runtime)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("restart"),
    });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("into a file that a person has broken elsewhere, which is said", async () => {
    write({});
    const runtime = open();
    const { version } = (await previewMapping({ ctx: contextOf(runtime, ADMIN), subject: ORDERS, proposal: null }))
      .save;
    writeFileSync(file, `${readFileSync(file, "utf8").trimEnd().slice(0, -1)}, "sinks": { "x": 1 } }`);
    await expect(save(runtime, { version })).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("sinks.x"),
    });
  });
});

test("the folder of the file is not told", async () => {
  write({});
  const runtime = open();
  const preview = await previewMapping({ ctx: contextOf(runtime, ADMIN), subject: ORDERS, proposal: null });
  expect(preview.save.file).toBe("outbox.yaml");
  expect((await save(runtime)).message).not.toContain(folder);
});

test("a table that is no outbox is neither listed nor asked about any more", async () => {
  await query("CREATE TABLE letters_outbox (id text PRIMARY KEY, event_id text, status text, attempts int)");
  write({});
  const runtime = open();
  const [candidate] = (await listOutboxes({ runtime })).candidates;
  const subject = { store: "shop", table: candidate?.table ?? "" };
  await ignoreTable({ ctx: contextOf(runtime, ADMIN), subject, request: { reason } });
  const { candidates, outboxes } = await listOutboxes({ runtime });
  expect(candidates).toEqual([]);
  expect(outboxes.map(({ name }) => name)).toEqual(["orders"]);
  expect(parse(readFileSync(file, "utf8")).ignoredTables).toEqual([{ store: "shop", table: "public.letters_outbox" }]);
});

test("a change of the file that is not valid is not followed", async () => {
  write({});
  const runtime = open();
  await save(runtime);
  writeFileSync(file, "outboxes: [");
  expect(() => runtime.followConfig()).toThrow();
  expect(await dead(runtime)).toBe(3);
});
