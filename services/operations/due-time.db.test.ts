import { describe, expect, test } from "vitest";
import { operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, openTable, act, rowsOf } = operatedOutbox();

const TABLE = `CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(),
  state text NOT NULL DEFAULT 'NEW' CHECK (state IN ('NEW', 'ERROR', 'SENT')), tries int NOT NULL DEFAULT 0, next_retry_at timestamptz, last_error text);`;
const FAILED = "INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'ERROR', 4, now() + interval '1 day', 'HTTP 500')";
const settings = { columns: { status: "state" } };
const nextRetry = async () => {
  const { rows } = await database().pool.query("SELECT next_retry_at <= now() AS due, tries, state FROM outbox");
  return rows[0];
};

describe("a retry of a table with a due time", () => {
  test("makes the row due by the time, which the team's relay may compare", async () => {
    await database().pool.query(`${TABLE} ${FAILED}`);
    openTable("outbox", settings);
    expect((await act("retry", "1")).done).toBe(1);
    expect(await nextRetry()).toEqual({ due: true, tries: 0, state: "NEW" });
  });

  test("writes no time where an index looks for rows without one", async () => {
    await database().pool.query(`${TABLE} CREATE INDEX ON outbox (id) WHERE next_retry_at IS NULL; ${FAILED}`);
    openTable("outbox", settings);
    expect((await act("retry", "1")).done).toBe(1);
    expect(await nextRetry()).toEqual({ due: null, tries: 0, state: "NEW" });
  });
});

test("a dead letter of a table without a word or a number for dead leaves the table", async () => {
  await database().pool.query(`${TABLE} ${FAILED}`);
  openTable("outbox", settings);
  expect((await act("dead-letter", "1")).done).toBe(1);
  expect(await rowsOf("outbox")).toEqual([]);
});

test("a retry writes no word that nothing shows", async () => {
  await database().pool.query(
    "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz, status text)",
  );
  await database().pool.query("INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'failed')");
  openTable("outbox", { lifecycle: { kind: "status", pending: [], published: ["sent"] } });
  const { outcomes } = await act("retry", "1").catch((error: unknown) => ({ outcomes: [{ code: String(error) }] }));
  expect(outcomes[0]?.code).toMatch(/wrong_state|pending/);
  expect(await rowsOf("outbox")).toHaveLength(1);
});
