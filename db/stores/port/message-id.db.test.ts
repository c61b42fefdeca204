import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { queryOn } from "../postgres/connection/query-on.ts";
import { keyText } from "../postgres/tables/column-values.ts";
import { arrayParameters, keyFromId, keyMatch, messageId } from "../postgres/tables/message-key.ts";
import { outboxTable } from "../postgres/tables/outbox-table.ts";
import type { MappedColumn, OutboxMapping } from "./mapping.ts";
import { decodeMessageId, encodeMessageId, keyColumns } from "./message-id.ts";

const database = testDatabase("empty");

const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: false, from: "shape" });

function mappingOf(primaryKey: MappedColumn[]): OutboxMapping {
  return {
    table: { schema: "public", name: "keys" },
    primaryKey,
    columns: { id: column("a", "text"), payload: column("a", "text") },
    lifecycle: { kind: "delete" },
    deadAttempts: null,
    archiveTable: null,
    shape: "generic",
  };
}

/** Every way from a key to its id and back gives the same, and finds the row by its key. */
async function expectRoundTrips(types: string[], rows: string[][]) {
  const { pool } = database();
  const names = types.map((_, index) => `k${index}`);
  const mapping = mappingOf(types.map((type, index) => column(`k${index}`, type)));
  await pool.query("DROP TABLE IF EXISTS keys");
  await pool.query(
    `CREATE TABLE keys (n serial, ${types.map((type, index) => `k${index} ${type}`).join(", ")}, PRIMARY KEY (${names.join(", ")}))`,
  );
  for (const row of rows)
    await pool.query(
      `INSERT INTO keys (${names.join(", ")}) VALUES (${row.map((_, index) => `$${index + 1}::text::${types[index]}`).join(", ")}) ON CONFLICT DO NOTHING`,
      row,
    );
  const outbox = outboxTable(mapping);
  const db = queryOn(pool);
  const n = sql<number>`${outbox.column({ name: "n" })}`;
  const texts = mapping.primaryKey.map((one) => keyText(outbox, one));
  const found = await db
    .select({ n, id: messageId(outbox), texts: sql<string[]>`ARRAY[${sql.join(texts, sql`, `)}]` })
    .from(outbox.rows);
  expect(found.length).toBeGreaterThan(0);
  for (const row of found) {
    expect(encodeMessageId(row.texts)).toBe(row.id);
    expect(row.id).toMatch(/^~?[A-Za-z0-9_-]+$/);
    expect(decodeMessageId(row.id, types.length)).toEqual(row.texts);
    expect(keyColumns([row.id, row.id], types.length)).toEqual(row.texts.map((text) => [text, text]));
    const keys = arrayParameters(row.texts.map((text) => [text]));
    const byKey = await db.select({ n }).from(outbox.rows).where(keyMatch(outbox, keys));
    const byId = await db
      .select({ n })
      .from(outbox.rows)
      .where(keyFromId(outbox, sql`${row.id}::text`));
    expect([byKey, byId]).toEqual([[{ n: row.n }], [{ n: row.n }]]);
  }
}

const HOSTILE = [
  "plain-id_1",
  "with space",
  'it\'s "quoted" \\back\\\\slash',
  "~tilde",
  "~WyJhIl0",
  "日本語 💥 é",
  "\u0001\u0007\b\t\n\f\r\u001f\u007f\u0085\u2028",
  "x".repeat(200),
  "x".repeat(201),
  "%_$1:/?#&=+",
  "null",
  "</script>",
  "a\n",
  "",
  " ",
];

test("uuid, numbers and texts of any kind", async () => {
  await expectRoundTrips(
    ["uuid"],
    [["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"], ["00000000-0000-0000-0000-000000000000"]],
  );
  await expectRoundTrips(["bigint"], [["9223372036854775807"], ["-1"], ["0"]]);
  await expectRoundTrips(["numeric(30,0)"], [["123456789012345678901234567890"]]);
  await expectRoundTrips(
    ["text"],
    HOSTILE.map((text) => [text]),
  );
  await expectRoundTrips(
    ["character varying(250)"],
    HOSTILE.map((text) => [text]),
  );
  await expectRoundTrips(["character(8)"], [["abc"], ["12345678"]]);
});

test("composite keys with times, whatever the session's settings", async () => {
  await expectRoundTrips(
    ["uuid", "timestamp with time zone"],
    [["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "2026-03-29 03:30:00.123456+02"]],
  );
  await expectRoundTrips(["timestamp without time zone", "text"], [["2026-01-01 00:00:00.000001", 'a","b']]);
  await expectRoundTrips(["timestamp(3) with time zone", "smallint"], [["2026-01-01 00:00:00.123", "7"]]);
  await expectRoundTrips(["date", "boolean"], [["2026-01-01", "true"]]);
});

test("any text survives", async () => {
  const texts = fc.sample(fc.string({ unit: "binary", maxLength: 60 }), 150).map((text) => text.replaceAll("\0", ""));
  await expectRoundTrips(
    ["text"],
    texts.map((text) => [text]),
  );
  await expectRoundTrips(
    ["text", "bigint"],
    texts.slice(0, 40).map((text, index) => [text, String(index)]),
  );
});

test("ids that no key can have are refused, and never reach a cast", async () => {
  const { pool } = database();
  await pool.query(
    "CREATE TABLE outbox (id numeric(3,0), created_at timestamp NOT NULL, code varchar(3), event_type text, payload jsonb, published_at timestamptz, PRIMARY KEY (id, created_at, code))",
  );
  await pool.query("INSERT INTO outbox VALUES (5, '2026-01-01', 'abc', 'x', '{}')");
  const { getMessage } = await import("#services/messages/get-message.ts");
  const runtime = openOperatedRuntime(database().url, "outbox", { mode: "observe" });
  const get = (id: string) => getMessage({ runtime, outbox: "orders", id });
  const good = encodeMessageId(["5", "2026-01-01T00:00:00.000000", "abc"]);
  expect((await get(good)).message.id).toBe(good);
  const bad = [
    "5",
    "",
    "~",
    "~AAAA",
    "../../etc/passwd",
    "%00",
    encodeMessageId(["5", "2026-02-30T00:00:00.000000", "abc"]),
    encodeMessageId(["5", "2026-13-01T00:00:00.000000", "abc"]),
    encodeMessageId(["99999", "2026-01-01T00:00:00.000000", "abc"]),
    encodeMessageId(["5", "2026-01-01T00:00:00.000000", "abcdef"]),
    encodeMessageId(["5", "2026-01-01T00:00:00.000000", "ab\0"]),
    encodeMessageId(["five", "2026-01-01T00:00:00.000000", "abc"]),
    `~${Buffer.from('{"a":1}').toString("base64url")}`,
    `~${Buffer.from("[1,2,3]").toString("base64url")}`,
  ];
  for (const id of bad) await expect(get(id), id).rejects.toMatchObject({ code: "not_found" });
  await runtime.close();
});
