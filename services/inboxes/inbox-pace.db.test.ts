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

test("the rate of an inbox without a time of processing is that of receipt, and said to be", async () => {
  await database().pool.query(
    `CREATE TABLE flagged_inbox (message_id text PRIMARY KEY, received_at timestamptz NOT NULL, processed boolean NOT NULL DEFAULT false);
     CREATE INDEX ON flagged_inbox (received_at);
     INSERT INTO flagged_inbox VALUES ('a', now(), true), ('b', now() - interval '1 hour', true)`,
  );
  const inboxes = Object.fromEntries(
    ["flagged_inbox", "inbox_messages"].map((name) => [name, { store: "shop", table: `public.${name}` }]),
  );
  const runtime = openTestRuntime(database().url, { inboxes });
  onTestFinished(() => runtime.close());
  const found = (await listInboxes({ runtime })).inboxes;
  expect(found.map(({ name, paceOf, figures }) => [name, paceOf, figures?.lastProcessedAt !== null])).toEqual([
    ["flagged_inbox", "received", false],
    ["inbox_messages", "processed", true],
  ]);
  expect(found[0]?.figures?.perMinute).toBe(1);
});
