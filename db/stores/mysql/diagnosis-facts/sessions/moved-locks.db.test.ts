import { expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { findLockHolder } from "../../act/find-lock-holder.ts";
import { lockedEvents } from "./locked-events.fixture.ts";

/** performance_schema names the thread that made a lock's entry. */
const { pools, refOf, makeTable, connect, holders } = lockedEvents("mysql");
const ref = () => refOf("bigint");

test("a lock is that of the transaction that holds it, though another session's insert has moved its row to another page", async () => {
  await makeTable("bigint", ["1", "1000"]);
  const holder = await connect();
  await holder.query("BEGIN; SELECT id FROM events WHERE id = 1000 FOR UPDATE");
  const numbers = Array.from({ length: 400 }, (_, n) => `(${n + 2}, REPEAT('x', 500))`);
  const inserter = await connect();
  await inserter.query(`INSERT INTO events (id, payload) VALUES ${numbers.join(", ")}`);
  const waiter = await connect();
  const waiting = waiter.query("UPDATE events SET sent = 1 WHERE id = 1000");
  const found = await waitFor(
    async () => (await holders(ref()).catch(() => [])).find(({ blockedPids }) => blockedPids.length > 0),
    { message: "someone waits for the holder" },
  );
  expect(found).toMatchObject({
    pid: holder.threadId,
    rows: 1,
    blockedPids: [waiter.threadId],
  });
  await expect
    .poll(() => findLockHolder(pools(), ref(), "1000"))
    .toMatch(new RegExp(`^connection ${holder.threadId}\\b`));
  await holder.query("ROLLBACK");
  await waiting;
});
