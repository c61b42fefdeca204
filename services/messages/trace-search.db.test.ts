import { afterEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { performOperation } from "../operations/perform-operation.ts";
import type { Runtime } from "../runtime.ts";
import { list } from "./list-messages.fixture.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER = "0af7651916cd43dd8448eb211c80319c";
const DASHED = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const OTHERS_PARENT = `00-${OTHER}-00f067aa0ba902b7-00`;

const database = testDatabase("migrated");
let runtime: Runtime;
afterEach(async () => {
  await runtime.close();
  await database().pool.query(
    "DROP TABLE outbox; TRUNCATE outbox_console.dead_letter, outbox_console.delivery, outbox_console.mapping_fingerprint",
  );
});

/** A table with the column, and a message for each of its values; the id is the value's number. */
async function withColumn(name: string, type: string, values: readonly (string | null)[]) {
  const { pool } = database();
  await pool.query(`CREATE TABLE outbox (id text PRIMARY KEY, aggregate_id text NOT NULL DEFAULT 'a', event_type text NOT NULL DEFAULT 'placed',
    payload jsonb NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, ${name} ${type})`);
  for (const [at, value] of values.entries())
    await pool.query(
      `INSERT INTO outbox (id, ${name}) VALUES ($1, ${type === "bytea" ? "convert_to($2, 'UTF8')" : `$2::text::${type}`})`,
      [String(at + 1), value],
    );
  open();
}

function open() {
  runtime = openOperatedRuntime(database().url, "outbox", { columns: { publishedAt: "published_at" } });
}

const idsOf = async (traceId: string, state = "all") =>
  (await list(runtime, { traceId, state })).messages.map(({ id }) => id).sort();

describe("the messages of a trace", () => {
  test.each([
    [
      "a text column, however it is written",
      "trace_id",
      "text",
      [TRACE, TRACE.toUpperCase(), DASHED, PARENT, OTHER, null, `${TRACE}00`],
      ["1", "2", "3", "4"],
    ],
    ["a short column", "trace_id", "varchar(32)", [TRACE, OTHER], ["1"]],
    ["a column of UUIDs", "trace_id", "uuid", [DASHED, OTHER], ["1"]],
    [
      "headers in JSON",
      "headers",
      "jsonb",
      [
        JSON.stringify({ traceparent: PARENT }),
        JSON.stringify({ traceparent: OTHERS_PARENT }),
        JSON.stringify({ note: TRACE }),
        "[1]",
        null,
      ],
      ["1"],
    ],
    [
      "headers in JSON text",
      "headers",
      "json",
      [JSON.stringify({ traceparent: PARENT }), JSON.stringify({ traceparent: OTHERS_PARENT })],
      ["1"],
    ],
    [
      "headers of another form",
      "headers",
      "text",
      [`traceparent=${PARENT}\n`, `traceparent: ${OTHERS_PARENT}`, null],
      ["1"],
    ],
    [
      "headers in bytes",
      "headers",
      "bytea",
      [`{"traceparent":"${PARENT}"}`, `{"traceparent":"${OTHERS_PARENT}"}`],
      ["1"],
    ],
  ])("are found by %s, in the table and among the dead letters", async (_, name, type, values, expected) => {
    await withColumn(name, type, values);
    expect(await idsOf(TRACE)).toEqual(expected);
    const found = await list(runtime, { traceId: TRACE, state: "pending" });
    const targets = found.messages.map(({ id, version }) => ({ id, version }));
    await performOperation({
      ctx: contextOf(runtime),
      outbox: "orders",
      request: { action: "dead-letter", targets, reason: "a reason" },
      idempotencyKey: null,
    });
    expect(
      (await database().pool.query("SELECT count(*)::int FROM outbox_console.dead_letter WHERE outbox = 'orders'"))
        .rows,
    ).toEqual([{ count: expected.length }]);
    expect(await idsOf(TRACE, "dead")).toEqual(expected);
    expect((await list(runtime, { traceId: TRACE, state: "all" })).matching).toEqual({
      value: expected.length,
      precision: "exact",
    });
  });

  test("are found in the team's own archive table", async () => {
    const { pool } = database();
    await withColumn("headers", "jsonb", [
      JSON.stringify({ traceparent: PARENT }),
      JSON.stringify({ traceparent: OTHERS_PARENT }),
    ]);
    await pool.query("CREATE TABLE outbox_archive (LIKE outbox INCLUDING ALL)");
    await runtime.close();
    open();
    await pool.query("UPDATE outbox SET published_at = now()");
    const { messages } = await list(runtime, { state: "published" });
    await performOperation({
      ctx: contextOf(runtime, ADMIN),
      outbox: "orders",
      request: {
        action: "archive",
        targets: messages.map(({ id, version }) => ({ id, version })),
        reason: "a reason",
      },
      idempotencyKey: null,
    });
    expect((await pool.query("SELECT count(*)::int FROM outbox_archive")).rows).toEqual([{ count: 2 }]);
    expect(await idsOf(TRACE, "archived")).toEqual(["1"]);
    expect(await idsOf(TRACE)).toEqual(["1"]);
    await pool.query("DROP TABLE outbox_archive; TRUNCATE outbox_console.archive");
  });

  test("are found by any way of writing the trace, and nothing else is taken for one", async () => {
    await withColumn("trace_id", "text", [TRACE, OTHER]);
    for (const written of [TRACE.toUpperCase(), DASHED, PARENT]) expect(await idsOf(written)).toEqual(["1"]);
    for (const written of ["order-1", "0".repeat(32), TRACE.slice(1)])
      expect(messageQuerySchema.safeParse({ traceId: written }).success, written).toBe(false);
  });

  test("a table that holds no traces says so instead of showing none", async () => {
    await withColumn("note", "text", [TRACE]);
    await expect(list(runtime, { traceId: TRACE, state: "all" })).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("columns.traceId"),
    });
  });
});

describe("in a large table", () => {
  test.each([
    ["trace_id", "text", `md5(n::text)`],
    ["headers", "jsonb", `jsonb_build_object('traceparent', '00-' || md5(n::text) || '-00f067aa0ba902b7-01')`],
  ])("by %s they are refused without an index, and found by the one that is named", async (name, type, value) => {
    await withColumn(name, type, []);
    const { pool } = database();
    // Uncompressed, so that the scan costs what its rows weigh.
    await pool.query("ALTER TABLE outbox ALTER payload SET STORAGE PLAIN");
    await pool.query(
      `INSERT INTO outbox (id, payload, published_at, ${name}) SELECT n::text, to_jsonb(repeat('x', 4200)), now(), ${value} FROM generate_series(1, 15000) n`,
    );
    await pool.query("ANALYZE outbox");
    const { rows } = await pool.query<{ trace: string }>("SELECT md5('777') AS trace");
    const query = { traceId: rows[0]?.trace ?? "", state: "all" };
    const refusal = await list(runtime, query).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "filter_not_indexed",
      details: { index: expect.stringMatching(/^CREATE INDEX CONCURRENTLY/) },
    });
    await pool.query((refusal as { details: { index: string } }).details.index);
    await runtime.close();
    open();
    const found = await list(runtime, query);
    expect([found.messages.map(({ id }) => id), found.partial]).toEqual([["777"], null]);
  });
});
