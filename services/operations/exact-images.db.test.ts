import { describe, expect, test } from "vitest";
import { layoutNamed, operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, openTable, act, read, stateOf, put, rowsOf } = operatedOutbox();
const PLAIN = layoutNamed("(a)");

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
    openTable("outbox", { columns: { publishedAt: "published_at" } });
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
    openTable("outbox", { columns: { publishedAt: "published_at" } });
    const before = await rowsOf("outbox");
    expect((await act("dead-letter", "1")).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
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
    await database().pool.query("ALTER TABLE outbox_events DROP CONSTRAINT only_new");
    expect(await stateOf(id)).toBe("archived");
  });

  test.each([
    ["may be empty", "text", null],
    ["must have a value", "text NOT NULL DEFAULT 'main'", "main"],
    ["is generated", "text GENERATED ALWAYS AS (event_type || '!') STORED", expect.stringMatching(/!$/)],
  ])("rows that left before a column was added that %s come back, with its default", async (_, type, value) => {
    const { pool } = database();
    await open(PLAIN);
    const ids = [await put(PLAIN, "archived"), await put(PLAIN, "dead")] as const;
    await pool.query(`ALTER TABLE outbox_events ADD added ${type}`);
    expect((await act("restore", ids[0])).outcomes[0]).toMatchObject({ outcome: "done" });
    expect((await act("retry", ids[1])).outcomes[0]).toMatchObject({ outcome: "done" });
    const { rows } = await pool.query<{ added: string | null }>("SELECT added FROM outbox_events");
    expect(rows).toEqual([{ added: value }, { added: value }]);
  });

  test("a row of a column that is gone does not come back without it", async () => {
    await open(PLAIN);
    await database().pool.query("ALTER TABLE outbox_events ADD note text DEFAULT 'kept'");
    const id = await put(PLAIN, "archived");
    await database().pool.query("ALTER TABLE outbox_events DROP note");
    expect((await act("restore", id)).outcomes[0]).toMatchObject({
      outcome: "skipped",
      message: expect.stringContaining("The table has changed since"),
    });
    expect(await stateOf(id)).toBe("archived");
  });
});
