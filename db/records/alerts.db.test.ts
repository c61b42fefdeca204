import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { dueAlerts, listAlerts, observeAlert, queueAlert, settleAlert } from "./alerts.ts";

const database = testDatabase("migrated");

test("a summary and a webhook's answer that text of Postgres cannot hold are kept without what it refuses", async () => {
  const { pool } = database();
  const of = { webhook: "pager", outbox: "orders" };
  await observeAlert(pool, { ...of, seen: "fail", gapMs: 60_000 });
  await queueAlert(pool, { ...of, event: "trigger", status: "fail", summary: "50\u0000 %" });
  const [due] = await dueAlerts(pool, 10);
  await settleAlert(pool, due?.id ?? 0, { delivered: false, error: "HTTP 500: a\u0000b", retryMs: 3_600_000 });
  expect(await listAlerts(pool, { outboxes: null, limit: 10 })).toMatchObject([
    { summary: "50 %", error: "HTTP 500: ab", attempts: 1 },
  ]);
  expect(await dueAlerts(pool, 10)).toEqual([]);
});
