import { describe, expect, test } from "vitest";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { flavorsFor } from "#tests/mysql.ts";
import { relayBox } from "../relay-box.fixture.ts";
import { STEP_RECORDS } from "./drop-reused-ids.ts";

const FAILED: MessageOutcome = {
  kind: "failed",
  startedAt: new Date(),
  durationMs: 1,
  failure: { code: "server_error", kind: "ambiguous", message: "HTTP 500" },
  nextAttemptInMs: 0,
};
const NOTHING = { dropped: 0, next: null };
const RESTART = "TRUNCATE box";
const NOW = "UTC_TIMESTAMP(6)";

describe.each(flavorsFor("mysql"))("records of failed messages whose ids newer rows may have, in %s", (flavor) => {
  const box = relayBox(flavor);
  const query = (sql: string) => box.database.query(sql);
  const delivery = () => `${box.database.own.database}.delivery`;
  const drop = (after: string | null = null) => box.table.dropReusedIds?.(after);
  const fail = async (count: number) => {
    await box.insert(count);
    await box.settle(await box.claimed(), FAILED);
  };

  test("are dropped once the numbers began again, and only for rows that are there", async () => {
    await fail(3);
    await query(RESTART);
    expect(await drop()).toEqual(NOTHING);
    await box.insert(2);
    expect((await box.claim()).claim).toBeNull();
    expect(await drop()).toEqual({ dropped: 2, next: null });
    const audit = await query(
      `SELECT CAST(message_id AS CHAR) AS id, CAST(action AS CHAR) AS action, CAST(state_before AS CHAR) AS was, detail FROM ${box.database.own.database}.audit ORDER BY id`,
    );
    expect(audit).toMatchObject([
      { id: "1", action: "message.forget", was: "failed", detail: expect.stringMatching(/attempts 1: HTTP 500/) },
      { id: "2" },
    ]);
    expect((await box.claimed()).messages).toMatchObject([{ id: "1", attempts: 0 }, { id: "2" }]);
    expect(await drop()).toEqual(NOTHING);
  });

  test("are dropped for dead messages too", async () => {
    await fail(2);
    await query(`UPDATE ${delivery()} SET dead_at = ${NOW}, next_attempt_at = NULL`);
    await query(RESTART);
    await box.insert(2);
    expect(await drop()).toEqual({ dropped: 2, next: null });
    expect((await box.claimed()).messages).toHaveLength(2);
  });

  test.each([
    ["none of them was written", () => ["DO 1"]],
    ["another column is written", () => ["UPDATE box SET payload = 'y'"]],
    ["all are dated back", () => ["UPDATE box SET created_at = created_at - INTERVAL 1 HOUR"]],
    ["one is dated anew", () => [`UPDATE box SET created_at = ${NOW} WHERE id = 3`]],
    [
      "the failure is not dated",
      () => [`UPDATE ${delivery()} SET last_failed_at = NULL`, `UPDATE box SET created_at = ${NOW}`],
    ],
    [
      "the message was not dated",
      () => [`UPDATE ${delivery()} SET created_at = NULL`, `UPDATE box SET created_at = ${NOW}`],
    ],
  ])("stay if %s", async (_, statements) => {
    await fail(3);
    for (const statement of statements()) await query(statement);
    expect(await drop()).toEqual(NOTHING);
    expect((await box.claim()).claim).toBeNull();
  });

  test("stay where the database dates a row anew with each change", async () => {
    await fail(2);
    await query(
      "ALTER TABLE box MODIFY created_at datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
    );
    const table = box.open();
    await box.take(table, "me");
    await query("UPDATE box SET payload = 'y'");
    expect(await table.dropReusedIds?.(null)).toEqual(NOTHING);
  });

  test("are compared in steps", async () => {
    await fail(1);
    const numbers = Array.from(
      { length: STEP_RECORDS },
      (_, n) => `('box', '${n + 2}', ${NOW} - INTERVAL 1 HOUR, 1, ${NOW}, ${NOW}, ${NOW})`,
    );
    await query(
      `INSERT INTO ${delivery()} (outbox, message_id, created_at, attempts, last_failed_at, next_attempt_at, changed_at) VALUES ${numbers.join(", ")}`,
    );
    await query(RESTART);
    await box.insert(STEP_RECORDS + 1);
    const first = await drop();
    expect(first).toEqual({ dropped: STEP_RECORDS, next: expect.any(String) });
    expect(await drop(first?.next)).toEqual({ dropped: 1, next: null });
  });
});
