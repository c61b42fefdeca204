import { describe, expect, test } from "vitest";
import { mapBox, timestamptz } from "../box.fixture.ts";
import { relayBox } from "../relay-box.fixture.ts";
import { MANY_BESIDE } from "./skip-dead-rows.ts";

const DEAD = MANY_BESIDE + 100;
const key = (id: number): [string, string] => [String(id), String(id)];

describe("rows that are dead and stay in their table", () => {
  const box = relayBox();

  const insert = (count: number) =>
    box.database.pool.query(
      "INSERT INTO box (aggregate_id, payload, created_at) SELECT 'a', 'x', now() - interval '1 hour' FROM generate_series(1, $1) i",
      [count],
    );
  const bury = (from: number, to: number, column = "dead_at") =>
    box.database.pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, ${column})
       SELECT 'box', id::text, 'a', ARRAY[id::text, id::text], 3, now() FROM box WHERE id BETWEEN $1 AND $2`,
      [from, to],
    );

  test("are passed over up to the first that may go out", async () => {
    await insert(DEAD + 50);
    await bury(1, 10, "next_attempt_at");
    await bury(11, DEAD);
    const skipped = await box.table.skipDeadRows(null);
    expect(skipped?.reached).toEqual(key(DEAD));
    expect(skipped?.ageMs).toBeGreaterThan(3_500_000);
    // Other tests write to other databases of this server, and its horizon waits for them too.
    await expect
      .poll(async () => skipped && (await box.table.skipDeadRows(null))?.horizon.hasPassed(skipped.horizon))
      .toBe(true);
  });

  test("are passed over from a position on, and to the end where nothing else is", async () => {
    await insert(DEAD);
    await bury(2, DEAD);
    expect(await box.table.skipDeadRows(null)).toBeNull();
    expect((await box.table.skipDeadRows(key(2)))?.reached).toEqual(key(DEAD));
  });

  test("are read where the last of them does not say when it was made", async () => {
    await insert(DEAD);
    await bury(1, DEAD);
    await box.database.pool.query("UPDATE box SET created_at = NULL WHERE id = $1", [DEAD]);
    expect(await box.table.skipDeadRows(null)).toBeNull();
  });

  test("are walked over by the read itself while they are few, and where nothing tells how old they are", async () => {
    await insert(MANY_BESIDE);
    await bury(1, MANY_BESIDE);
    expect(await box.table.skipDeadRows(null)).toBeNull();
    await insert(1);
    await bury(MANY_BESIDE + 1, MANY_BESIDE + 1);
    expect((await box.table.skipDeadRows(null))?.reached).toEqual(key(MANY_BESIDE + 1));
    const ageless = box.open({ mapping: mapBox({ publishedAt: timestamptz("published_at") }) });
    expect(await ageless.skipDeadRows(null)).toBeNull();
    await ageless.close();
  });
});
