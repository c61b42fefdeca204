import { expect, onTestFinished, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listInboxes } from "./list-inboxes.ts";

const database = testDatabase("empty");

test("the rate of an inbox is not known if the rows from which it is counted are all of the last minute", async () => {
  await database().pool.query(
    `CREATE TABLE inbox_messages (message_id text PRIMARY KEY, event_type text NOT NULL, received_at timestamptz NOT NULL, processed_at timestamptz);
     CREATE INDEX ON inbox_messages (processed_at)`,
  );
  const perMinute = async () => {
    const inboxes = { billing: { store: "shop", table: "public.inbox_messages" } };
    const runtime = openTestRuntime(database().url, { inboxes });
    onTestFinished(() => runtime.close());
    return (await listInboxes({ runtime })).inboxes[0]?.figures?.perMinute;
  };
  const process = (from: number, to: number) =>
    database().pool.query(
      "INSERT INTO inbox_messages SELECT n, 'a', now(), now() FROM generate_series($1::int, $2) n",
      [from, to],
    );
  await process(1, 4000);
  expect(await perMinute()).toBe(4000);
  await process(4001, 6000);
  expect(await perMinute()).toBeNull();
});
