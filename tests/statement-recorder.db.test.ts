import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RelaySessions } from "#db/stores/postgres/connection/sessions.ts";
import { testDatabase } from "./postgres.ts";
import { type StatementRecorder, startStatementRecorder } from "./statement-recorder.ts";

const database = testDatabase("empty");
let recorder: StatementRecorder;
let client: pg.Client;

beforeEach(async () => {
  recorder = await startStatementRecorder(database().url);
  client = new pg.Client({ connectionString: recorder.url, application_name: "recorded" });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await recorder.close();
});

test("a simple query is one statement, with the rows of all its commands and the connection's name", async () => {
  const before = performance.now();
  await client.query("SELECT generate_series(1, 3); SELECT 1");
  const [statement] = recorder.statements;
  expect(recorder.statements).toEqual([
    {
      ...{ name: "", text: "SELECT generate_series(1, 3); SELECT 1", values: [], applicationName: "recorded" },
      ...{ rows: 4, failed: false, sentAtMs: expect.any(Number), tookMs: expect.any(Number) },
    },
  ]);
  expect(statement?.sentAtMs).toBeGreaterThanOrEqual(before);
  expect((statement?.sentAtMs ?? 0) + (statement?.tookMs ?? 0)).toBeLessThanOrEqual(performance.now());
});

test("a named statement keeps its text however often it is bound; parameters are texts", async () => {
  const query = { name: "echo", text: "SELECT $1::text, $2::bytea, $3::int[]" };
  await client.query({ ...query, values: ["é", Buffer.from([1, 255]), [1, 2]] });
  await client.query({ ...query, values: [null, null, null] });
  expect(recorder.statements).toMatchObject([
    { ...query, values: ["é", "\\x01ff", '{"1","2"}'], rows: 1 },
    { ...query, values: [null, null, null], rows: 1 },
  ]);
});

test("of a pipeline that fails, what the server skipped is dropped", async () => {
  await client.query("CREATE TABLE note (word text UNIQUE)");
  const sessions = RelaySessions.over({ url: recorder.url, each: 1 });
  const insert = { name: "insert_note", text: "INSERT INTO note (word) VALUES ($1) RETURNING word", values: ["a"] };
  const count = { name: "count_notes", text: "SELECT count(*)::text FROM note", values: [] };
  await sessions.once([insert, count]);
  const known = recorder.statements.length;
  await expect(sessions.once([insert, insert, count])).rejects.toMatchObject({ code: "23505" });
  await expect(client.query("SELECT $1::int", ["x"])).rejects.toMatchObject({ code: "22P02" });
  await expect(client.query("SELECT nothing")).rejects.toMatchObject({ code: "42703" });
  await sessions.once([count]);
  expect(recorder.statements.slice(known)).toMatchObject([
    { ...insert, rows: 0, failed: true, applicationName: "outbox-console relay" },
    { text: "ROLLBACK", failed: false },
    { text: "SELECT $1::int", failed: true },
    { text: "SELECT nothing", failed: true },
    { ...count, rows: 1, failed: false },
  ]);
  expect(recorder.statements.every(({ tookMs }) => tookMs !== null)).toBe(true);
  recorder.forget();
  expect(recorder.statements).toEqual([]);
  await sessions.close();
});

test("notices are kept", async () => {
  await client.query("DO $$ BEGIN RAISE NOTICE 'hear'; END $$");
  expect(recorder.notices).toEqual(["hear"]);
});
