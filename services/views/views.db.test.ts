import { afterAll, beforeAll, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, OPERATOR, openOperatedRuntime, openTestRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listAudit } from "../audit/list-audit.ts";
import type { Runtime } from "../runtime.ts";
import { deleteView, listViews, renameView, saveView } from "./views.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  runtime = openOperatedRuntime(database().url, "outbox_events");
});
afterAll(() => runtime.close());

const at = (actor = OPERATOR) => ({ ctx: contextOf(runtime, actor), outbox: "orders" });
const view = (name: string) => ({ name, query: { state: "dead", last: "1h" }, columns: ["state", "id"] });
const names = async () => (await listViews({ runtime, outbox: "orders" })).views.map(({ name }) => name);

test("an operator saves, renames and deletes a view for everybody, and the audit has it", async () => {
  const { views } = await saveView({ ...at(), view: view("Dead of the last hour") });
  expect(views).toMatchObject([{ ...view("Dead of the last hour"), createdBy: "olga" }]);
  const id = views[0]?.id ?? "";
  await renameView({ ...at(), id, name: "dead, 1 h" });
  expect(await names()).toEqual(["dead, 1 h"]);
  expect((await deleteView({ ...at(), id })).views).toEqual([]);
  const { entries } = await listAudit({ runtime, query: { limit: 10 } });
  expect(entries.map(({ action, actor, outbox, detail }) => [action, actor, outbox, detail])).toEqual([
    ["view.delete", "olga", "orders", "dead, 1 h"],
    ["view.rename", "olga", "orders", "Dead of the last hour → dead, 1 h"],
    ["view.save", "olga", "orders", "Dead of the last hour"],
  ]);
});

test("viewers, taken names and views that are gone are refused, without a trace", async () => {
  await expect(saveView({ ...at(VIEWER), view: view("x") })).rejects.toMatchObject({ code: "forbidden" });
  const [saved] = (await saveView({ ...at(), view: view("a") })).views;
  await saveView({ ...at(), view: view("b") });
  const before = (await listAudit({ runtime, query: { limit: 50 } })).entries.length;
  await expect(saveView({ ...at(), view: view("a") })).rejects.toMatchObject({ code: "conflict" });
  await expect(renameView({ ...at(), id: saved?.id ?? "", name: "b" })).rejects.toMatchObject({ code: "conflict" });
  for (const id of ["nope", "00000000-0000-4000-8000-000000000009"]) {
    await expect(renameView({ ...at(), id, name: "c" })).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteView({ ...at(), id })).rejects.toMatchObject({ code: "not_found" });
  }
  expect((await listAudit({ runtime, query: { limit: 50 } })).entries).toHaveLength(before);
  expect(await names()).toEqual(["a", "b"]);
});

test("a console without a database, or with one of an older version, says why it keeps no shared views", async () => {
  const observing = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox_events", mode: "observe" } },
  });
  expect(await listViews({ runtime: observing, outbox: "orders" })).toEqual({
    views: [],
    problem: expect.stringContaining("console.databaseUrl"),
  });
  await observing.close();
  await database().pool.query("ALTER TABLE outbox_console_app.saved_view RENAME TO away");
  expect((await listViews({ runtime, outbox: "orders" })).problem).toContain("npm run migrate");
  await expect(saveView({ ...at(), view: view("c") })).rejects.toMatchObject({ code: "wrong_state" });
  await database().pool.query("ALTER TABLE outbox_console_app.away RENAME TO saved_view");
});
