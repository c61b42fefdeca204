import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import { contextOf, openTestRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { recordDenied } from "./record-denied.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
beforeAll(() => {
  runtime = openTestRuntime(database().url, { console: { databaseUrl: database().url } });
});
afterAll(() => runtime.close());

const deny = (name: string) => {
  const error = new AppError("forbidden", "This needs the role operator; you are signed in as viewer.");
  const ctx = contextOf(runtime, { ...VIEWER, name });
  return recordDenied(ctx, { error, path: "POST /api/v1/relays/orders/pause", outbox: "orders", inbox: null });
};

test("of a loop of refused requests 30 in a minute are recorded, the last of which says so; others are recorded too", async () => {
  for (let nth = 0; nth < 40; nth += 1) await deny("loop");
  await deny("vera");
  const { rows } = await database().pool.query(
    "SELECT actor, count(*)::int AS entries, max(id) AS last FROM outbox_console_app.audit GROUP BY actor ORDER BY actor",
  );
  expect(rows).toMatchObject([
    { actor: "loop", entries: 30 },
    { actor: "vera", entries: 1 },
  ]);
  const last = await database().pool.query("SELECT detail FROM outbox_console_app.audit WHERE id = $1", [
    rows[0]?.last,
  ]);
  expect(last.rows[0]?.detail).toContain("Further refusals within the minute are not recorded.");
});
