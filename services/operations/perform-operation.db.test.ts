import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OperationRequest, operationRequestSchema } from "#contracts/operations.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageAction, MessageState } from "#domain/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import { LAYOUTS, type Layout } from "#tests/factories/layouts-states.ts";
import { ADMIN, contextOf, OPERATOR, openOperatedRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { getMessage } from "../messages/get-message.ts";
import type { Runtime } from "../runtime.ts";
import { performOperation } from "./perform-operation.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

const WORDED = {
  kind: "status",
  pending: ["PENDING"],
  inFlight: ["PROCESSING"],
  published: ["SENT"],
  failed: [],
  dead: ["DEAD"],
};
const OURS = "delivery, claim, lease, dead_letter, archive, operation, audit, attempt, mapping_fingerprint";

beforeEach(async () => {
  await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await database().pool.query(`TRUNCATE ${OURS.replace(/\w+/g, (name) => `outbox_console.${name}`)}`);
});

afterEach(() => runtime.close());

interface Act {
  actor?: Actor;
  version?: string;
  key?: string;
  dryRun?: boolean;
  reason?: string;
}

async function act(action: MessageAction, id: string, more: Act = {}) {
  const version = more.version ?? (await read(id)).message.version;
  return perform(action, [{ id, version }], more);
}

function perform(action: MessageAction, targets: OperationRequest["targets"], more: Act = {}) {
  const request = operationRequestSchema.parse({
    action,
    targets,
    reason: more.reason ?? "INC-42",
    ...(more.dryRun === undefined ? {} : { dryRun: more.dryRun }),
  });
  return performOperation({
    ctx: contextOf(runtime, more.actor ?? ADMIN),
    outbox: "orders",
    request,
    idempotencyKey: more.key ?? null,
  });
}

const read = (id: string) => getMessage({ runtime, outbox: "orders", id });
const stateOf = async (id: string) => (await read(id)).message.state;

/** Everything that an action may write, as text. */
async function everything(table: string): Promise<string> {
  const { rows } = await database().pool.query<{ text: string }>(
    `SELECT coalesce((SELECT string_agg(t::text, '|' ORDER BY t::text) FROM ${table} t), '') || coalesce((SELECT string_agg(d::text, '|') FROM outbox_console.delivery d), '')
       || (SELECT count(*) FROM outbox_console.dead_letter) || ',' || (SELECT count(*) FROM outbox_console.archive) || ',' || (SELECT count(*) FROM outbox_console.audit) AS text`,
  );
  return rows[0]?.text ?? "";
}

/** Every row of the table exactly as it is. */
async function rowsOf(table: string): Promise<string[]> {
  const { rows } = await database().pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t ORDER BY 1`);
  return rows.map((row) => row.text);
}

async function auditRows() {
  const { rows } = await database().pool.query(
    `SELECT actor, role, action, message_id AS "messageId", outcome, reason, state_before AS "before", state_after AS "after" FROM outbox_console.audit ORDER BY id`,
  );
  return rows;
}

async function fail(id: string) {
  await database().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, first_failed_at, last_failed_at, first_error, last_error, last_error_code, fingerprint, next_attempt_at)
     VALUES ('orders', $1, 3, now(), now(), 'first', 'HTTP 500', 'server_error', 'f00', now() + interval '1 hour')`,
    [id],
  );
}

async function claimIt(id: string, live: boolean) {
  const { pool } = database();
  await pool.query(
    "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'relay-1', 1, clock_timestamp() + $1::interval FROM generate_series(0, 31) p",
    [live ? "1 hour" : "-1 minute"],
  );
  await pool.query(
    "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, 'orders', 'relay-1', 1, $2)",
    [randomUUID(), [id, "another"]],
  );
}

/** A message in the state, by the table's own columns where it has them. */
async function put(layout: Layout, state: MessageState): Promise<string> {
  const { pool } = database();
  if (state === "archived") {
    const id = await layout.insert(pool, "published");
    await act("archive", id, { reason: "to be archived" });
    return id;
  }
  if (state === "dead" && !layout.tells.includes("dead")) {
    const id = await layout.insert(pool, "pending");
    await act("dead-letter", id, { reason: "to be dead" });
    return id;
  }
  if (state === "failed" && !layout.tells.includes("failed")) {
    const id = await layout.insert(pool, "pending");
    await fail(id);
    return id;
  }
  return layout.insert(pool, state as "pending");
}

async function open(layout: Layout) {
  await database().pool.query(layout.ddl);
  runtime = openOperatedRuntime(database().url, layout.table);
}

const WORKS: readonly [MessageAction, MessageState, MessageState | "gone"][] = [
  ["retry", "failed", "pending"],
  ["retry", "dead", "pending"],
  ["dead-letter", "pending", "dead"],
  ["dead-letter", "failed", "dead"],
  ["archive", "published", "archived"],
  ["archive", "dead", "archived"],
  ["restore", "archived", "published"],
  ["purge", "archived", "gone"],
];

const REFUSED: readonly [MessageAction, MessageState][] = [
  ["retry", "pending"],
  ["retry", "published"],
  ["retry", "archived"],
  ["dead-letter", "dead"],
  ["dead-letter", "published"],
  ["archive", "pending"],
  ["archive", "failed"],
  ["archive", "archived"],
  ["restore", "published"],
  ["purge", "published"],
  ["purge", "dead"],
];

describe.each(LAYOUTS)("layout $name", (layout) => {
  test("every action works, and is in the audit once", async () => {
    await open(layout);
    for (const [action, before, after] of WORKS) {
      const id = await put(layout, before);
      await database().pool.query("TRUNCATE outbox_console.audit");
      const operation = await act(action, id);
      expect(operation, `${action} ${before}`).toMatchObject({ done: 1, skipped: 0, failed: 0 });
      expect(operation.outcomes[0]).toMatchObject({
        id,
        outcome: "done",
        stateBefore: before,
        stateAfter: after === "gone" ? null : after,
      });
      if (after === "gone") await expect(read(id)).rejects.toMatchObject({ code: "not_found" });
      else {
        const { message } = await read(id);
        expect(message.state).toBe(after);
        expect(message.version).toBe(operation.outcomes[0]?.version);
      }
      expect(await auditRows()).toEqual([
        {
          actor: "ada",
          role: "admin",
          action: `message.${action}`,
          messageId: id,
          outcome: "done",
          reason: "INC-42",
          before,
          after: after === "gone" ? null : after,
        },
      ]);
    }
  });

  test("each action refuses the wrong state with a sentence, and writes nothing", async () => {
    await open(layout);
    for (const [action, state] of REFUSED) {
      const id = await put(layout, state);
      const before = await everything(layout.table);
      const operation = await act(action, id);
      expect(operation.outcomes[0], `${action} ${state}`).toMatchObject({ outcome: "skipped", code: "wrong_state" });
      expect(operation.outcomes[0]?.message).toMatch(/^[A-Z].+\.$/);
      expect(await everything(layout.table)).toBe(before);
    }
  });

  test("a retry counts attempts from 0 in the table's own columns and beside", async () => {
    await open(layout);
    for (const state of ["failed", "dead"] as const) {
      const id = await put(layout, state);
      await act("retry", id);
      const { message, columns } = await read(id);
      expect(message).toMatchObject({ state: "pending", attempts: 0 });
      const value = (name: string) => columns.find((column) => column.name === name)?.value;
      if (layout.name === "(e)")
        expect([value("status"), value("retry_count"), value("error_message")]).toEqual(["PENDING", "0", null]);
      if (layout.name === "(a) with attempts") expect([value("attempts"), value("last_error")]).toEqual(["0", null]);
      const { rows } = await database().pool.query(
        "SELECT attempts, dead_at, next_attempt_at <= clock_timestamp() AS due FROM outbox_console.delivery WHERE message_id = $1",
        [id],
      );
      expect(rows).toEqual([{ attempts: 0, dead_at: null, due: true }]);
    }
  });

  test("dead-lettered and retried, archived and restored: the row is the same to the byte", async () => {
    await open(layout);
    const native = layout.tells.includes("dead");
    const pending = await put(layout, "pending");
    const published = await put(layout, "published");
    const before = await rowsOf(layout.table);
    await act("dead-letter", pending);
    if (!native) expect(await rowsOf(layout.table)).toHaveLength(1);
    await act("retry", pending);
    await act("archive", published);
    expect(await stateOf(published)).toBe("archived");
    await act("restore", published);
    expect(await rowsOf(layout.table)).toEqual(before);
  });

  test("a dead letter is archived and restored as the dead letter it was, with its error", async () => {
    await open(layout);
    const id = await layout.insert(database().pool, "pending");
    await fail(id);
    await act("dead-letter", id);
    await act("archive", id);
    await act("restore", id);
    const detail = await read(id);
    expect(detail.message.state).toBe("dead");
    if (layout.name !== "(e)" && layout.name !== "(a) with attempts") expect(detail.message.lastError).toBe("HTTP 500");
    expect(detail.firstError).toBe("first");
  });
});

describe("the words of a status", () => {
  const SEVERAL_SPELLINGS = {
    kind: "status",
    pending: ["PENDING", "pending"],
    failed: ["FAILED", "failed"],
    published: ["PUBLISHED", "published"],
  };

  test("a dead letter of (e) is FAILED from its last attempt, a word that its team knows", async () => {
    const layout = LAYOUTS.find((one) => one.name === "(e)");
    if (!layout) throw new Error("(e) is missing");
    await open(layout);
    const id = await put(layout, "pending");
    await act("dead-letter", id);
    const { columns } = await read(id);
    const value = (name: string) => columns.find((column) => column.name === name)?.value;
    expect([value("status"), value("retry_count")]).toEqual(["FAILED", "10"]);
  });

  test("are written as the row spells them, where nothing declares them", async () => {
    await database().pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), status text)",
    );
    await database().pool.query("INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'failed')");
    runtime = openOperatedRuntime(database().url, "outbox", { lifecycle: SEVERAL_SPELLINGS });
    await act("retry", "1");
    expect((await read("1")).message).toMatchObject({ state: "pending", rawStatus: "pending" });
    await act("dead-letter", "1");
    expect(await rowsOf("outbox")).toEqual([]);
    expect(await stateOf("1")).toBe("dead");
  });

  test("an unknown status can be dead-lettered, and nothing else", async () => {
    await database().pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), status text)",
    );
    await database().pool.query("INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'odd')");
    runtime = openOperatedRuntime(database().url, "outbox", { lifecycle: SEVERAL_SPELLINGS });
    expect((await act("retry", "1")).outcomes[0]?.code).toBe("wrong_state");
    expect((await act("archive", "1")).outcomes[0]?.code).toBe("wrong_state");
    expect((await act("dead-letter", "1")).done).toBe(1);
  });
});

const [PLAIN] = LAYOUTS;
if (!PLAIN) throw new Error("there are no layouts");

describe("who may", () => {
  test("a viewer may do nothing, an operator everything but purge", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "failed");
    for (const action of ["retry", "dead-letter", "archive", "restore", "purge"] as const)
      await expect(act(action, id, { actor: VIEWER })).rejects.toMatchObject({ code: "forbidden" });
    await expect(act("purge", id, { actor: OPERATOR })).rejects.toMatchObject({ code: "forbidden" });
    expect(await auditRows()).toEqual([]);
    expect((await act("retry", id, { actor: OPERATOR })).done).toBe(1);
  });

  test("nobody where the outbox is observed only, or not migrated", async () => {
    await database().pool.query(PLAIN.ddl);
    runtime = openOperatedRuntime(database().url, PLAIN.table, { mode: "observe" });
    const id = await PLAIN.insert(database().pool, "pending");
    await expect(act("dead-letter", id)).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("observed only"),
    });
  });
});

describe("races", () => {
  test("a row that changed meanwhile is a conflict, and nothing is written", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    await database().pool.query("UPDATE outbox_events SET payload = '{\"changed\": true}'");
    const before = await everything(PLAIN.table);
    const operation = await act("dead-letter", id, { version });
    expect(operation.outcomes[0]).toMatchObject({ outcome: "skipped", code: "conflict" });
    expect(await everything(PLAIN.table)).toBe(before);
  });

  test("a failure that was recorded meanwhile is a conflict too", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "failed");
    const { version } = (await read(id)).message;
    await database().pool.query("UPDATE outbox_console.delivery SET attempts = 4");
    expect((await act("retry", id, { version })).outcomes[0]?.code).toBe("conflict");
  });

  test("twenty clicks at once: one is done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "failed");
    const { version } = (await read(id)).message;
    const operations = await Promise.all(Array.from({ length: 20 }, () => act("dead-letter", id, { version })));
    const outcomes = operations.flatMap((operation) => operation.outcomes);
    expect(outcomes.filter((outcome) => outcome.outcome === "done")).toHaveLength(1);
    for (const outcome of outcomes.filter((one) => one.outcome !== "done")) {
      expect(outcome.outcome).toBe("skipped");
      expect(["conflict", "wrong_state"]).toContain(outcome.code);
    }
    expect(await auditRows()).toHaveLength(1);
  });

  test("a live claim: in flight, after waiting; a claim that ends meanwhile: done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    await claimIt(id, true);
    const started = performance.now();
    const refused = await act("dead-letter", id);
    expect(refused.outcomes[0]).toMatchObject({ outcome: "skipped", code: "in_flight" });
    expect(performance.now() - started).toBeGreaterThan(4000);
    const waiting = act("dead-letter", id);
    await database().pool.query("DELETE FROM outbox_console.claim");
    expect((await waiting).done).toBe(1);
  });

  test("a claim that is only a word of the status is refused at once, with what to configure", async () => {
    const { pool } = database();
    await pool.query(`CREATE TABLE worded (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL)`);
    await pool.query(
      "INSERT INTO worded (event_type, payload, created_at, status) VALUES ('a', '{}', now() - interval '1 day', 'PROCESSING')",
    );
    runtime = openOperatedRuntime(database().url, "worded", { lifecycle: WORDED });
    const detail = await read("1");
    expect(detail.message).toMatchObject({ state: "in_flight", claimExpired: false, claimUndated: true });
    const told = detail.actions.find(({ action }) => action === "retry");
    expect(told).toMatchObject({ possible: false, reason: expect.stringContaining("columns.lockedUntil") });
    const { outcomes } = await act("retry", "1");
    expect(outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state", message: told?.reason });
    expect((await read("1")).message).toMatchObject({ state: "in_flight", rawStatus: "PROCESSING" });
  });

  test("an expired claim: a retry takes the message out of it", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    await claimIt(id, false);
    expect((await read(id)).message).toMatchObject({ state: "pending", claimExpired: true });
    expect((await act("retry", id)).done).toBe(1);
    const { rows } = await database().pool.query("SELECT message_ids FROM outbox_console.claim");
    expect(rows).toEqual([{ message_ids: ["another"] }]);
    expect((await read(id)).message.claimExpired).toBe(false);
  });

  test("a row that another session has locked: locked, with who holds it; claims are not held up meanwhile", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const holder = await database().pool.connect();
    try {
      await holder.query("SET application_name = 'nightly report'; BEGIN; SELECT 1 FROM outbox_events FOR UPDATE");
      const acting = act("dead-letter", id, { version });
      // Far less than the operator waits for the row.
      await database().pool.query(
        "BEGIN; SET LOCAL lock_timeout = 2500; SELECT pg_advisory_xact_lock_shared(1329742680, hashtext('orders')); COMMIT",
      );
      const operation = await acting;
      expect(operation.outcomes[0]).toMatchObject({ outcome: "skipped", code: "locked" });
      expect(operation.outcomes[0]?.message).toMatch(/pid \d+ \(nightly report\)/);
    } finally {
      await holder.query("ROLLBACK; RESET application_name");
      holder.release();
    }
    expect((await act("dead-letter", id, { version })).done).toBe(1);
  });
});

describe("requests", () => {
  test("unknown ids and ids of no message's form are skipped as not found, the others are done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const operation = await perform("dead-letter", [
      { id: randomUUID(), version },
      { id: "~garbage", version },
      { id: "'; DROP TABLE outbox_events; --", version },
      { id, version },
      { id, version },
    ]);
    expect(operation.outcomes.map((outcome) => outcome.code)).toEqual(["not_found", "not_found", "not_found", null]);
    expect(operation).toMatchObject({ done: 1, skipped: 3, failed: 0 });
  });

  test.each(LAYOUTS)(
    "$name: messages are retried in the outbox's order, wherever they are, and reported in the order asked for",
    async (layout) => {
      await database().pool.query(layout.ddl);
      runtime = openOperatedRuntime(database().url, layout.table);
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push(await layout.insert(database().pool, "pending"));
      // All were created at the same moment: their own ids decide, numbers by value.
      const ownId = (id: string) => decodeMessageId(id, id.startsWith("~") ? 2 : 1)[0]?.padStart(40, "0") ?? "";
      const inOrder = [...ids].sort((left, right) => (ownId(left) < ownId(right) ? -1 : 1));
      for (const id of ids) await act("dead-letter", id);
      const backwards = [...inOrder].reverse();
      const targets = await Promise.all(
        backwards.map(async (id) => ({ id, version: (await read(id)).message.version })),
      );
      const { outcomes } = await perform("retry", [{ id: "nobody", version: "1.1" }, ...targets]);
      expect(outcomes.map(({ id }) => id)).toEqual(["nobody", ...backwards]);
      const retried = (await auditRows()).filter(({ action }) => action === "message.retry");
      expect(retried.map(({ messageId }) => messageId)).toEqual(inOrder);
    },
  );

  test("the same key gives the same answer again, and refuses another request", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const first = await act("dead-letter", id, { version, key: "key-00001" });
    expect(await act("dead-letter", id, { version, key: "key-00001" })).toEqual(first);
    await expect(act("retry", id, { version, key: "key-00001" })).rejects.toMatchObject({ code: "conflict" });
    await expect(act("dead-letter", id, { version, key: "key-00001", reason: "another" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await auditRows()).toHaveLength(1);
    const other = await act("dead-letter", id, { version, key: "key-00001", actor: OPERATOR });
    expect(other.id).not.toBe(first.id);
  });

  test("a dry run says what would come, and changes nothing", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const before = await everything(PLAIN.table);
    const operation = await act("dead-letter", id, { dryRun: true });
    expect(operation).toMatchObject({ dryRun: true, done: 1 });
    expect(await everything(PLAIN.table)).toBe(before);
    expect((await act("retry", id, { dryRun: true })).outcomes[0]?.code).toBe("wrong_state");
  });
});

describe("exact images", () => {
  const WIDE = `CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_type text, payload json NOT NULL, extra jsonb, blob bytea, amount numeric(20,4),
    precise double precision, tags text[], grid int[][], span interval, day date, at timestamptz, local timestamp, flag boolean, code char(5), upper text GENERATED ALWAYS AS (upper(event_type)) STORED,
    net inet, "user" text, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), published_at timestamptz)`;
  const FULL = `INSERT INTO outbox (event_type, payload, extra, blob, amount, precise, tags, grid, span, day, at, local, flag, code, net, "user", published_at) VALUES
    ('ärger 💥 "quoted" \\back', '{ "n": 9007199254740993,  "x": 1.10, "x": 2, "deep": {"a": [1e400, -0, null, "\\u0041"]},
      "t": "é" }', '{"b": 1.10, "a": 9007199254740993}', '\\x00ff10', 1.1000, 0.1, ARRAY['a,b', NULL, '{"q"}', ''], '{{1,2},{3,4}}', '1 mon 2 days 03:04:05.000006', '2026-02-28',
     '2026-03-01 10:00:00.123456+02', '2026-03-01 10:00:00.000001', NULL, 'ab', '10.0.0.0/8', 'zoë', PUBLISHED)`;
  const EMPTY = "INSERT INTO outbox (payload, published_at) VALUES ('null', PUBLISHED)";

  test.each([
    ["full", FULL],
    ["empty", EMPTY],
  ])("a %s row comes back as it was", async (_, insert) => {
    const { pool } = database();
    await pool.query(WIDE);
    await pool.query(insert.replace("PUBLISHED", "NULL"));
    await pool.query(insert.replace("PUBLISHED", "now()"));
    // What the role's own settings print must not matter.
    await pool.query(
      `ALTER DATABASE "${database().name}" SET timezone = 'Asia/Kathmandu'; ALTER DATABASE "${database().name}" SET intervalstyle = 'sql_standard'; ALTER DATABASE "${database().name}" SET bytea_output = 'escape'`,
    );
    runtime = openOperatedRuntime(database().url, "outbox", { columns: { publishedAt: "published_at" } });
    const before = await rowsOf("outbox");
    for (const [there, id, back] of [
      ["dead-letter", "1", "retry"],
      ["archive", "2", "restore"],
    ] as const) {
      expect((await act(there, id)).outcomes[0]).toMatchObject({ outcome: "done" });
      const detail = await read(id);
      if (insert === FULL) expect(detail.payload?.text).toContain('"n": 9007199254740993,  "x": 1.10, "x": 2');
      await pool.query(`ALTER DATABASE "${database().name}" SET timezone = 'UTC'`);
      expect((await act(back, id)).outcomes[0]).toMatchObject({ outcome: "done" });
    }
    expect(await rowsOf("outbox")).toEqual(before);
    await pool.query(`ALTER DATABASE "${database().name}" RESET ALL`);
    await pool.query("INSERT INTO outbox (payload) VALUES ('{}')");
    expect(await rowsOf("outbox")).toHaveLength(3);
  });

  test.each([
    ["a zero byte", '{"a": "\\u0000"}'],
    ["half a surrogate", '{"a": "\\ud800"}'],
  ])("json with %s cannot come back from an image, so its row never leaves", async (_, payload) => {
    const { pool } = database();
    await pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), published_at timestamptz)",
    );
    await pool.query("INSERT INTO outbox VALUES (1, 'a', $1, now(), NULL), (2, 'a', $1, now(), now())", [payload]);
    runtime = openOperatedRuntime(database().url, "outbox", { columns: { publishedAt: "published_at" } });
    const before = await rowsOf("outbox");
    expect((await act("dead-letter", "1")).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "dead" });
    expect((await act("retry", "1")).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "pending" });
    expect((await act("archive", "2")).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect(await rowsOf("outbox")).toEqual(before);
    expect((await read("1")).payload?.text).toBe(payload);
  });

  test("a restore refuses when the id exists again, and keeps the archived one", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "archived");
    await database().pool.query("INSERT INTO outbox_events (id, event_type, payload) VALUES ($1, 'again', '{}')", [id]);
    const { rows } = await database().pool.query<{ version: string }>(
      "SELECT 'm' || xmin::text AS version FROM outbox_console.archive",
    );
    const operation = await act("restore", id, { version: rows[0]?.version ?? "" });
    expect(operation.outcomes[0]?.outcome).toBe("skipped");
    expect((await database().pool.query("SELECT 1 FROM outbox_console.archive")).rowCount).toBe(1);
    expect(await rowsOf("outbox_events")).toHaveLength(1);
  });

  test("a restore that the table refuses says so, and keeps the archived one", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "archived");
    await database().pool.query("ALTER TABLE outbox_events ADD CONSTRAINT only_new CHECK (occurred_at > '2026-06-01')");
    const operation = await act("restore", id);
    expect(operation.outcomes[0]).toMatchObject({
      outcome: "skipped",
      code: "conflict",
      message: expect.stringContaining("only_new"),
    });
    await database().pool.query(
      "ALTER TABLE outbox_events DROP CONSTRAINT only_new; ALTER TABLE outbox_events ADD COLUMN added text DEFAULT 'x'",
    );
    expect(await stateOf(id)).toBe("archived");
  });
});

describe("tables whose rows must stay", () => {
  const referenced = "CREATE TABLE effect (event_id uuid REFERENCES outbox_events)";
  const trigger =
    "CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'; CREATE TRIGGER t AFTER DELETE ON outbox_events FOR EACH ROW EXECUTE FUNCTION noop()";
  const publication = "CREATE PUBLICATION cdc FOR TABLE outbox_events";

  test.each([
    ["a foreign key", referenced],
    ["a trigger", trigger],
    ["a publication", publication],
  ])("%s: dead-lettered beside, archive refused", async (_, ddl) => {
    await open(PLAIN);
    await database().pool.query(ddl);
    const id = await put(PLAIN, "pending");
    const published = await put(PLAIN, "published");
    const before = await rowsOf("outbox_events");
    expect((await act("dead-letter", id)).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "dead" });
    expect(await rowsOf("outbox_events")).toEqual(before);
    expect((await act("archive", published)).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect((await act("archive", id)).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect((await act("retry", id)).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "pending" });
    expect(await rowsOf("outbox_events")).toEqual(before);
    await database().pool.query("DROP PUBLICATION IF EXISTS cdc");
  });

  test("a publication of all tables, or of a partition's parent, counts", async () => {
    const layout = LAYOUTS.find((one) => one.name === "(d)");
    if (!layout) throw new Error("(d) is missing");
    await open(layout);
    await database().pool.query("CREATE PUBLICATION cdc FOR TABLE outbox");
    const id = await put(layout, "published");
    expect((await act("archive", id)).outcomes[0]?.code).toBe("wrong_state");
    await database().pool.query("DROP PUBLICATION cdc; CREATE PUBLICATION cdc FOR TABLE outbox_2026");
    expect((await act("archive", id)).outcomes[0]?.code).toBe("wrong_state");
    await database().pool.query("DROP PUBLICATION cdc");
    expect((await act("archive", id)).done).toBe(1);
  });
});
