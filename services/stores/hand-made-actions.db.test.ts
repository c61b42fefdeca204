import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { STATED_BY_FLAG } from "#db/shapes/hand-made/states/by-flag.ts";
import { STATED_BY_STATUS } from "#db/shapes/hand-made/states/by-status.ts";
import { STATED_BY_TIME } from "#db/shapes/hand-made/states/by-time.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { mappingBlock } from "../doctor/mapping-block.ts";
import { getMessage } from "../messages/get-message.ts";
import { performOperation } from "../operations/perform-operation.ts";
import type { Runtime } from "../runtime.ts";

const TRUTHS = [...STATED_BY_TIME, ...STATED_BY_STATUS, ...STATED_BY_FLAG];
const OURS = ["mapping_fingerprint", "audit", "operation", "delivery", "dead_letter"];
const uuid = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;

const database = testDatabase("migrated");
const query = (sql: string, values: unknown[] = []) => database().pool.query(sql, values);
const opened: Runtime[] = [];

beforeEach(async () => {
  const ours = OURS.map((name) => `outbox_console.${name}`).join(", ");
  await query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE ${ours}`);
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function open(table: string, settings: Record<string, unknown> = {}): Runtime {
  const runtime = openOperatedRuntime(database().url, table, settings);
  opened.push(runtime);
  return runtime;
}

async function create(table: string): Promise<void> {
  const truth = TRUTHS.find(({ ddl }) => ddl.includes(`CREATE TABLE ${table} `));
  if (!truth) throw new Error(`no table ${table}`);
  await query(`${truth.ddl}; ${truth.insert}`);
}

/** Operates the table with the lines that doctor prints, as a person who finds them right would. */
async function answered(table: string): Promise<Runtime> {
  const asked = open(table);
  const handle = await asked.outbox("orders");
  expect(handle.stop).not.toBeNull();
  const { columns, lifecycle, shape } = parse(mappingBlock(handle)).outboxes.orders;
  return open(table, { columns, ...(lifecycle ? { lifecycle } : {}), ...(shape ? { shape } : {}) });
}

async function act(runtime: Runtime, action: "retry" | "dead-letter", id: string) {
  const { version } = (await getMessage({ runtime, outbox: "orders", id })).message;
  const request = targetedRequestSchema.parse({ action, targets: [{ id, version }], reason: "INC-1" });
  return performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
}

async function rowOf(table: string, key: string, id: string): Promise<Record<string, unknown> | null> {
  const { rows } = await query(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${key}::text = $1`, [id]);
  return rows[0]?.row ?? null;
}

/** Columns whose value is another, with the new one; times as `a time`. */
function changes(before: Record<string, unknown> | null, after: Record<string, unknown> | null) {
  if (!before || !after) return after;
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  const shown = (value: unknown) => (typeof value === "string" && /^20\d\d-/.test(value) ? "a time" : value);
  return Object.fromEntries(changed.map(([name, value]) => [name, shown(value)]));
}

const OUT = null;
const ACTIONS = [
  ["retry", "billing_outbox_entries", "entry_id", "3", { tries: 0, next_try_at: "a time" }],
  ["retry", "event_publications", "id", uuid(5), { status: "NEW", error_message: null, attempt: 0 }],
  ["dead-letter", "event_publications", "id", uuid(4), { status: "GIVEN_UP" }],
  ["retry", "outbox_items", "id", "5", { state: "queued", retries: 0, retry_after: "a time" }],
  ["dead-letter", "evenements_sortants", "id", "4", { statut: "abandonne" }],
  ["retry", "postausgang", "id", uuid(5), { zustand: "OFFEN", anzahl_versuche: 0, fehlertext: null }],
  ["dead-letter", "zdarzenia_wychodzace", "id", uuid(3), OUT],
  ["retry", "zdarzenia_wychodzace", "id", uuid(3), { stan: "NOWE", proby: 0, blad: null }],
  ["dead-letter", "coda_messaggi_uscita", "id", uuid(4), OUT],
  ["dead-letter", '"OutboxRecord"', "id", "c", OUT],
  ["retry", "message_outbox", "id", uuid(3), { failed: false, error: null }],
  ["dead-letter", "message_outbox", "id", uuid(3), OUT],
  [
    "retry",
    "eventlog_outbox",
    "id",
    uuid(4),
    { dead: false, retry_count: 0, next_retry_at: "a time", last_error: null },
  ],
  ["dead-letter", "eventlog_outbox", "id", uuid(3), { dead: true }],
  ["retry", "domain_event_outbox", "id", uuid(4), { abandoned_at: null, failure_count: 0, failure_reason: null }],
  ["dead-letter", "domain_event_outbox", "id", uuid(3), { abandoned_at: "a time" }],
  ["retry", "outbox_dead", "id", "3", { is_dead_letter: false, attempts: 0 }],
  // Its codes are explained in a comment.
  ["retry", "tx_outbox", "id", uuid(3), { status: 0, attempts: 0 }],
  ["dead-letter", "tx_outbox", "id", uuid(3), OUT],
  // An index has the rows without a status, and the lines that doctor prints say so.
  ["retry", "outbox_bare_indexed", "id", "3", { status: null }],
] as const;

describe("what is written into a hand-made table is what the table shows", () => {
  test.each(ACTIONS)("%s in %s", async (action, table, key, id, expected) => {
    await create(table);
    const runtime = await answered(table);
    expect((await runtime.outbox("orders")).stop).toBeNull();
    const before = await rowOf(table, key, id);
    expect(before).not.toBeNull();
    const { done } = await act(runtime, action, id);
    expect(done).toBe(1);
    expect(changes(before, await rowOf(table, key, id))).toEqual(expected);
    const { state } = (await getMessage({ runtime, outbox: "orders", id })).message;
    expect(state).toBe(action === "retry" ? "pending" : "dead");
  });
});

describe("a table that does not show enough is refused with a question", () => {
  test.each([
    ["out_evt", "OUT_EVT", "4", "Which word of evt_sts_cd means published?"],
    ["outbox_queue", "outbox_queue", "4", "It has W, D, X."],
    ["outbox_retry", "outbox_retry", uuid(4), "shows whether a message was published"],
  ])("%s", async (table, written, id, question) => {
    await create(written);
    const runtime = await answered(table);
    await expect(act(runtime, "dead-letter", id)).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining(question),
    });
  });

  test("rows without a status are no new ones before a person says so", async () => {
    await create("outbox_bare_rows");
    const table = "outbox_bare_rows";
    const block = mappingBlock(await open(table).outbox("orders"));
    expect(block).toContain("\n    # If a row without one is new, write lifecycle.pending: [null].");
    const { columns, lifecycle } = parse(block).outboxes.orders;
    const refused = act(open(table, { columns, lifecycle }), "retry", "3");
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining("write lifecycle.pending: [null]"),
    });
    const runtime = open(table, { columns, lifecycle: { ...lifecycle, pending: [null] } });
    expect((await act(runtime, "retry", "3")).done).toBe(1);
    expect(await rowOf(table, "id", "3")).toMatchObject({ send_status: null });
    expect((await getMessage({ runtime, outbox: "orders", id: "1" })).message.state).toBe("pending");
  });

  test("codes that no comment explains", async () => {
    await create("tx_outbox");
    await query("COMMENT ON COLUMN tx_outbox.status IS NULL");
    const runtime = await answered("tx_outbox");
    await expect(act(runtime, "dead-letter", uuid(3))).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("Which words of status mean pending and published?"),
    });
  });

  test("a row that was withdrawn is not retried, and its page says by which column", async () => {
    await create("outbox_with_cancel");
    const runtime = await answered("outbox_with_cancel");
    const { outcomes } = await act(runtime, "retry", "3");
    expect(outcomes).toMatchObject([{ outcome: "skipped", code: "wrong_state" }]);
  });

  test("our relay does not publish a table with marks that it does not know", async () => {
    await create("eventlog_outbox");
    const relay = { mode: "relay", relay: { sink: "stdout" }, columns: { publishedAt: "processed_at" } };
    expect((await open("eventlog_outbox", relay).outbox("orders")).stop).toMatchObject({
      code: "library_publishes",
      message: expect.stringContaining("dead when dead is true"),
    });
    const plain = { ...relay, lifecycle: { kind: "timestamp" } };
    expect((await open("eventlog_outbox", plain).outbox("orders")).mapping.lifecycle.kind).toBe("timestamp");
  });

  test("an error without a count of attempts is a failure of another program, and none while our relay publishes", async () => {
    await query(`CREATE TABLE outbox_with_error (id bigint PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, last_error text)`);
    await query("INSERT INTO outbox_with_error VALUES (1, 'order.placed', '{}', now(), NULL, 'refused')");
    const stateIn = async (settings: Record<string, unknown>) => {
      const { message } = await getMessage({ runtime: open("outbox_with_error", settings), outbox: "orders", id: "1" });
      return message.state;
    };
    const settings = { columns: { publishedAt: "published_at", lastError: "last_error" } };
    expect(await stateIn(settings)).toBe("failed");
    // An attempt that is taken back leaves its error in the row; our records say that it did not count.
    expect(await stateIn({ ...settings, mode: "relay", relay: { sink: "stdout" } })).toBe("pending");
  });
});
