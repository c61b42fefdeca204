import { describe, expect, test } from "vitest";
import { FAILED, mapBox, timestamptz } from "../box.fixture.ts";
import { relayBox } from "../relay-box.fixture.ts";
import { STEP_RECORDS } from "./drop-reused-ids.ts";

const RESTART = "TRUNCATE box RESTART IDENTITY";

describe("records of failed messages whose ids newer rows may have", () => {
  const box = relayBox();
  const { insert, claim, claimed, settle } = box;
  const query = (sql: string) => box.database.pool.query(sql);
  const drop = (after: string | null = null) => box.table.dropReusedIds?.(after);
  const NOTHING = { dropped: 0, next: null };

  const fail = async (count: number) => {
    await insert(count);
    await settle(await claimed(), FAILED);
  };

  test("are dropped once the numbers began again, and only for rows that are there", async () => {
    await fail(3);
    await query(RESTART);
    expect(await drop()).toEqual(NOTHING);
    await insert(2);
    expect((await claim()).claim).toBeNull();
    expect(await drop()).toEqual({ dropped: 2, next: null });
    const { rows: audit } = await query(
      "SELECT message_id, action, state_before, detail FROM outbox_console.audit ORDER BY message_id",
    );
    expect(audit).toMatchObject([
      {
        message_id: "1",
        action: "message.forget",
        state_before: "failed",
        detail: expect.stringMatching(/attempts 1: /),
      },
      { message_id: "2" },
    ]);
    expect((await claimed()).messages).toMatchObject([{ id: "1", attempts: 0 }, { id: "2" }]);
    expect(await drop()).toEqual(NOTHING);
  });

  test("are dropped for dead messages too", async () => {
    await fail(2);
    await query("UPDATE outbox_console.delivery SET dead_at = clock_timestamp(), next_attempt_at = NULL");
    await query(RESTART);
    await insert(2);
    expect(await drop()).toEqual({ dropped: 2, next: null });
    expect((await claimed()).messages).toHaveLength(2);
  });

  test.each([
    ["none of them was written", "SELECT 1"],
    ["another column is written", "UPDATE box SET payload = 'y'"],
    ["all are dated back", "UPDATE box SET created_at = created_at - interval '1 hour'"],
    ["one is dated anew", "UPDATE box SET created_at = clock_timestamp() WHERE id = 3"],
    ["one is written anew under its id", "UPDATE box SET created_at = clock_timestamp(), payload = 'y' WHERE id = 2"],
    [
      "the failure is not dated",
      "WITH touched AS (UPDATE outbox_console.delivery SET last_failed_at = NULL) UPDATE box SET created_at = clock_timestamp()",
    ],
    [
      "the message was not dated",
      "WITH touched AS (UPDATE outbox_console.delivery SET created_at = NULL) UPDATE box SET created_at = clock_timestamp()",
    ],
  ])("stay if %s", async (_, sql) => {
    await fail(3);
    await query(sql);
    expect(await drop()).toEqual(NOTHING);
    expect((await claim()).claim).toBeNull();
  });

  test("stay where no creation time is mapped", async () => {
    const table = box.open({ mapping: mapBox({ publishedAt: timestamptz("published_at") }) });
    await fail(1);
    await query(RESTART);
    await insert(1);
    expect(await table.dropReusedIds?.(null)).toEqual(NOTHING);
    await table.close();
  });

  test("are compared in steps", async () => {
    const count = STEP_RECORDS + 1;
    await fail(1);
    await query(`INSERT INTO outbox_console.delivery (outbox, message_id, created_at, last_failed_at, next_attempt_at)
      SELECT 'box', i::text, now() - interval '1 hour', now(), now() FROM generate_series(2, ${count}) i`);
    await query(RESTART);
    await insert(count);
    const first = await drop();
    expect(first).toEqual({ dropped: STEP_RECORDS, next: expect.any(String) });
    expect(await drop(first?.next)).toEqual({ dropped: 1, next: null });
  });
});
