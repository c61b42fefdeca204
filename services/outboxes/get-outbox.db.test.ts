import { expect, onTestFinished, test } from "vitest";
import { COLUMN_ROLES } from "#db/stores/port/mapping.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { ADMIN, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { acceptMapping } from "../mapping/accept-mapping.ts";
import { getOutbox } from "./get-outbox.ts";

const database = testDatabase("migrated");

test("roles keep their order when the mapping is accepted", async () => {
  await database().pool.query(OUTBOX_EVENTS);
  const runtime = openOperatedRuntime(database().url, "outbox_events");
  onTestFinished(() => runtime.close());
  const roles = async () => (await getOutbox({ runtime, outbox: "orders" })).roles.map(({ role }) => role);
  const before = await roles();
  await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null });
  await runtime.refresh("shop");
  expect(await roles()).toEqual(before);
  expect(before).toEqual(COLUMN_ROLES.filter((role) => before.includes(role)));
});
