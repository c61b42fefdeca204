import { afterEach, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { listAudit } from "./list-audit.ts";

const side = testDatabase("migrated");
let runtime: Runtime;
afterEach(() => runtime.close());

test("the audits of store and console are one list, page by page", async () => {
  runtime = openTestRuntime(side().url, {
    console: { databaseUrl: side().url },
    outboxes: { orders: { store: "shop", table: "public.outbox_events", mode: "operate" } },
  });
  await side().pool.query(OUTBOX_EVENTS);
  const at = (minutes: number) => `now() - interval '${minutes} minutes'`;
  for (const minutes of [9, 7, 5, 3])
    await side().pool.query(
      `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome) VALUES (${at(minutes)}, 'a', 'admin', 'm${minutes}', 'orders', 'done')`,
    );
  for (const minutes of [8, 4, 2])
    await side().pool.query(
      `INSERT INTO outbox_console_app.audit (at, actor, role, action, outbox, outcome) VALUES (${at(minutes)}, 'a', 'admin', 'm${minutes}', 'gone', 'done')`,
    );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit({ runtime, query: { outbox: "orders", limit: 2, cursor } });
    seen.push(...page.entries.map((entry) => entry.action));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(["m2", "m3", "m4", "m5", "m7", "m8", "m9"]);
});
