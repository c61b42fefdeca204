import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INSERT_ONE, makeTable, OUTBOX, payloadOf, TABLE } from "#tests/outbox-table.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { AMBIGUOUS } from "../../testing/bench-relay.fixture.ts";
import { READS, startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

const database = testDatabase();
const [late, head, next]: string[] = [randomUUID(), randomUUID(), randomUUID()];

let client: pg.Client;
let slow: pg.Client;
let tries = 0;
let isOpen = false;
beforeEach(async () => {
  [tries, isOpen] = [0, false];
  client = new pg.Client(database().url);
  slow = new pg.Client(database().url);
  await Promise.all([client.connect(), slow.connect()]);
  await makeTable(client);
  await slow.query("BEGIN");
  await slow.query(INSERT_ONE, [late, "slow", payloadOf(1)]);
  for (const [n, id] of [head, next].entries()) await client.query(INSERT_ONE, [id, "slow", payloadOf(2 + n)]);
  // Aged, so that the watermark passes it, and everything before it, at once.
  await client.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     VALUES ('order', 'other', 'order.changed', '{}', now() - interval '1 hour')`,
  );
});
afterEach(() => Promise.all([client.end(), slow.end()]));

const start = () =>
  startWatchedRelay({
    url: database().url,
    settings: { retry: { initialMs: 100, maxMs: 100 } },
    answer: ({ id }) => {
      if (id !== head) return PUBLISHED;
      tries += 1;
      return isOpen ? PUBLISHED : AMBIGUOUS;
    },
  });
/** Reads begin at the watermark, behind the head; then the head is published. */
const passAndPublish = async (relay: WatchedRelay) => {
  await waitFor(() => [...relay.asked.keys()].some((name) => READS.test(name)), {
    message: "the watermark has a position",
  });
  isOpen = true;
  await waitFor(() => relay.sink.received.length === 4, { message: "all are out" });
  return relay.sink.received.map(({ id }) => id).filter((id) => [late, head, next].includes(id));
};

test("a row committed before a head that failed as the term began is not overtaken by the next of its aggregate", async () => {
  const relay = await start();
  try {
    await waitFor(() => tries > 0, { message: "the head fails" });
    await slow.query("COMMIT");
    expect(await passAndPublish(relay)).toEqual([head, late, next]);
  } finally {
    await relay.stop();
  }
});

test("nor is one that was committed before the term, when the head had failed already", async () => {
  await client.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, next_attempt_at)
     SELECT $2, id::text, 'order/slow', ARRAY[seq::text, id::text], 1, now() FROM ${TABLE} WHERE id = $1`,
    [head, OUTBOX],
  );
  await slow.query("COMMIT");
  const relay = await start();
  try {
    expect(await passAndPublish(relay)).toEqual([head, late, next]);
  } finally {
    await relay.stop();
  }
});
