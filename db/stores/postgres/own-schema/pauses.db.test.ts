import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import type { PauseSubject } from "../../port/pauses.ts";
import { deletePause, writePause } from "./pauses.ts";

test("a pause that has run out by itself is not there to be ended", async () => {
  const { pool, dropByForce } = await createTestDatabase();
  const subject: PauseSubject = { outbox: "orders", scope: "event_type", subject: "order.placed" };
  await writePause(pool, { ...subject, reason: "x", by: "ana", minutes: 5 });
  await pool.query("UPDATE outbox_console.pause SET until = now() - interval '1 s'");
  expect(await deletePause(pool, subject)).toBe(false);
  await writePause(pool, { ...subject, reason: "y", by: "ana", minutes: 5 });
  expect(await deletePause(pool, subject)).toBe(true);
  expect(await deletePause(pool, subject)).toBe(false);
  await dropByForce();
});
