import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkTables } from "../doctor/check-tables.ts";
import type { Runtime } from "../runtime.ts";
import { listInboxes } from "./list-inboxes.ts";

const database = testDatabase("empty");
const open: Runtime[] = [];

function openWith(answers: Record<string, unknown>): Runtime {
  const runtime = openTestRuntime(database().url, {
    inboxes: { billing: { store: "shop", table: "public.inbox_messages", ...answers } },
  });
  open.push(runtime);
  return runtime;
}

beforeAll(async () => {
  await database().pool.query(`CREATE TABLE inbox_messages (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL,
      received_at timestamptz NOT NULL, processed_at timestamptz, shadow boolean NOT NULL DEFAULT false);
    INSERT INTO inbox_messages VALUES ('m1', 'a', '{}', now() - interval '1 minute', NULL, false), ('m2', 'a', '{}', now() - interval '1 hour', NULL, true)`);
});
afterAll(() => Promise.all(open.map((runtime) => runtime.close())));

test("a column of unknown meaning is a question on the page and in the doctor, and its rows are not counted as unprocessed", async () => {
  const runtime = openWith({});
  const { inboxes } = await listInboxes({ runtime });
  expect(inboxes).toMatchObject([
    {
      name: "billing",
      question: expect.stringContaining("when shadow is true"),
      figures: { unprocessed: { value: 1 } },
    },
  ]);
  expect(inboxes[0]?.figures?.oldestUnprocessedSeconds).toBeLessThan(600);
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  await checkTables(runtime, { ok: say, bad: say, advise: say });
  expect(said.filter((text) => text.startsWith("inbox billing:"))).toEqual([
    "inbox billing: public.inbox_messages",
    expect.stringContaining("name shadow under ignoredColumns of the inbox"),
  ]);
});

test("the answer in the configuration closes the question", async () => {
  const { inboxes } = await listInboxes({ runtime: openWith({ ignoredColumns: ["shadow"] }) });
  expect(inboxes).toMatchObject([{ question: null, figures: { unprocessed: { value: 2 } } }]);
});
