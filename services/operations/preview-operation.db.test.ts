import { afterAll, beforeAll, expect, test } from "vitest";
import { contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { getOutbox } from "../outboxes/get-outbox.ts";
import type { Runtime } from "../runtime.ts";
import { previewOperation } from "./preview-operation.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(
    `CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(),
       available_at timestamptz, published_at timestamptz);
     INSERT INTO outbox VALUES (1, 'a', '{}', now(), NULL, NULL), (2, 'a', '{}', now(), now() - interval '1 h', NULL),
       (3, 'a', '{}', now(), now() + interval '1 day', NULL), (4, 'a', '{}', now(), now() + interval '1 day', now())`,
  );
  runtime = openOperatedRuntime(database().url, "outbox");
});
afterAll(() => runtime.close());

test("says what a person must decide first, where the start would be refused for it, as the settings do", async () => {
  await database().pool.query("CREATE TABLE guess (id int PRIMARY KEY, event_type text, payload json, status text)");
  const guessed = openOperatedRuntime(database().url, "guess");
  try {
    const { blocked } = await previewOperation({
      ctx: contextOf(guessed),
      outbox: "orders",
      request: { action: "retry", filter: { state: "all" } },
    });
    expect(blocked).toMatch(/^The mapping of outbox orders is only likely: .* Answer it under Settings/);
    const { capabilities } = await getOutbox({ runtime: guessed, outbox: "orders" });
    for (const action of ["retry", "bulk", "republish"])
      expect(capabilities.actions[action]).toMatchObject({ possible: false, reason: blocked });
  } finally {
    await guessed.close();
  }
});

test("counts what is scheduled for later among the messages that an action would take", async () => {
  const preview = await previewOperation({
    ctx: contextOf(runtime),
    outbox: "orders",
    request: { action: "dead-letter", filter: { state: "all" } },
  });
  expect(preview).toMatchObject({ read: 4, scheduled: 1, refused: [{ messages: 1 }] });
});
