import { expect, test } from "vitest";
import { FACT_LIMITS } from "#db/stores/conformance/fact-limits.fixture.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { gatherFacts } from "./gather-facts.ts";
import { factsOfShop } from "./shop-facts.fixture.ts";

const { demo, ref, pools, gather, addEvents } = factsOfShop();

async function fail(id: string, aggregate: string): Promise<void> {
  await demo().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, first_failed_at, last_error_code, last_error)
     VALUES ('orders', $1, $2, 'order.paid', 2, now() + interval '10 s', now() - interval '1 min', 'server_error', 'no FX rate')`,
    [id, aggregate],
  );
}

test("counts what is due and overdue, without what a failed head blocks and what is given up on", async () => {
  await addEvents("ord-1", 3, "1 min");
  await addEvents("ord-2", 2);
  const [head = ""] = await addEvents("ord-3", 4, "1 min");
  await fail(head, "order/ord-3");
  const { waiting } = await gather();
  expect(waiting).toMatchObject({ due: 5, overdue: 3, overdueAggregates: 1, capped: false });
});

test("an empty outbox waits for nothing", async () => {
  expect((await gather()).waiting).toEqual({
    due: 0,
    overdue: 0,
    overdueAggregates: 0,
    capped: false,
    oldestDueAt: null,
  });
});

test("counts who waits behind each failed head", async () => {
  const [head = ""] = await addEvents("ord-3", 4);
  await addEvents("ord-4", 1);
  await fail(head, "order/ord-3");
  const { blocked } = await gather();
  expect(blocked).toHaveLength(1);
  expect(blocked?.[0]).toMatchObject({
    aggregate: "order/ord-3",
    aggregateId: "ord-3",
    headId: head,
    waiting: 3,
    attempts: 2,
  });
});

test("a dead message that stays in the table does not wait behind the failed head", async () => {
  const [dead = "", head = ""] = await addEvents("a", 2);
  await fail(head, "order/a");
  await demo().pool.query(
    "INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, dead_at) VALUES ('orders', $1, 'order/a', 9, now())",
    [dead],
  );
  expect((await gather()).blocked).toMatchObject([{ headId: head, waiting: 0, waitingCapped: false }]);
});

test("a claim is expired when its owner holds no lease", async () => {
  const claim = (owner: string) =>
    demo().pool.query(
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES (gen_random_uuid(), 'orders', $1, 1, ARRAY['a', 'b'])",
      [owner],
    );
  await claim("alive");
  await claim("gone");
  await demo().pool.query(
    "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'alive', 1, now() + interval '1 min' FROM generate_series(0, 31) p",
  );
  expect((await gather()).expiredClaims).toMatchObject({ claims: 1, messages: 2, owners: ["gone"] });
});

test("groups dead messages by type and error, moved away or in their place, most first", async () => {
  await demo().pool.query(
    `INSERT INTO outbox_console.dead_letter (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error_code, last_error, last_failed_at, fingerprint)
     SELECT 'orders', 'm' || i, CASE WHEN i < 3 THEN 'order.refunded' ELSE 'order.paid' END, 1, now(), 'relay',
       CASE WHEN i < 3 THEN 'unroutable' ELSE 'rejected' END, 'no topic ' || i, now() - i * interval '20 s', CASE WHEN i < 3 THEN 'f' ELSE 'g' END
     FROM generate_series(1, 4) i`,
  );
  await demo().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error_code, last_error, last_failed_at, fingerprint)
     VALUES ('orders', 'm9', 'order.refunded', 1, now(), 'relay', 'unroutable', 'no topic 9', now(), 'f')`,
  );
  const { dead } = await gather();
  await demo().pool.query("TRUNCATE outbox_console.dead_letter");
  const at = expect.any(String);
  expect(dead).toEqual([
    {
      eventType: "order.refunded",
      code: "unroutable",
      error: "no topic 9",
      fingerprint: "f",
      messages: 3,
      capped: false,
      firstAt: at,
      lastAt: at,
      oldestSeconds: null,
      lastMinute: 3,
    },
    {
      eventType: "order.paid",
      code: "rejected",
      error: "no topic 3",
      fingerprint: "g",
      messages: 2,
      capped: false,
      firstAt: at,
      lastAt: at,
      oldestSeconds: null,
      lastMinute: 0,
    },
  ]);
});

test("dead messages whose errors differ in a number are one group, also where nobody recorded a fingerprint", async () => {
  await demo().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, event_type, attempts, dead_at, dead_by, last_error)
     SELECT 'orders', 'm' || i, 'order.paid', 1, now(), 'relay', 'unknown SKU ' || i FROM generate_series(1, 30) i`,
  );
  expect((await gather()).dead).toEqual([
    expect.objectContaining({ error: "unknown SKU 1", messages: 30, capped: false }),
  ]);
});

test("counts what waits by event type", async () => {
  await addEvents("ord-1", 3);
  expect((await gather()).waitingByType).toEqual([expect.objectContaining({ messages: 3 })]);
});

test("finds messages created in the future", async () => {
  await addEvents("ord-1", 2, "-1 hour");
  expect((await gather()).clockSkew).toMatchObject({ messages: 2, capped: false });
});

/** A table of another library, with words for its states. */
function otherLayout({ inFlight }: { inFlight: string[] }): OutboxRef {
  const column = (name: string, type: string) => ({ name, type, nullable: true, from: "config" as const });
  const time = { kind: "timestamptz" as const };
  return {
    ...ref(),
    storeSide: false,
    mapping: {
      table: { schema: "public", name: "outbox" },
      primaryKey: [column("id", "bigint")],
      columns: {
        id: column("id", "bigint"),
        payload: column("payload", "jsonb"),
        createdAt: { ...column("created_at", "timestamp with time zone"), time },
        availableAt: { ...column("available_at", "timestamp with time zone"), time },
      },
      lifecycle: {
        kind: "status",
        column: column("status", "text"),
        pending: ["PENDING"],
        inFlight,
        failed: [],
        published: ["SENT"],
        dead: [],
        expired: [],
      },
      deadAttempts: null,
      archiveTable: null,
      shape: "configured",
    },
  };
}

test("finds statuses that nobody named, and messages scheduled far ahead, in a table of another layout", async () => {
  await demo().pool.query(`INSERT INTO public.outbox (status, available_at) VALUES ('PENDING', now() + interval '1 year'), ('PENDING', NULL),
    ('PARKED', NULL), ('PARKED', NULL), ('SENT', NULL)`);
  const { facts, unread } = await gatherFacts(pools, otherLayout({ inFlight: [] }), FACT_LIMITS);
  expect(unread).toEqual([]);
  expect(facts.unknownWords).toEqual([{ word: "PARKED", messages: 2, capped: false }]);
  expect(facts.scheduledFar).toMatchObject({ messages: 1 });
  expect(facts.waiting?.due).toBe(1);
});

test("a table that only marks messages as claimed does not tell since when", async () => {
  await demo().pool.query("DELETE FROM public.outbox");
  await demo().pool.query(`INSERT INTO public.outbox (status, created_at) VALUES ('BUSY', now() - interval '1 day'), ('BUSY', now() - interval '1 day'),
    ('BUSY', now()), ('PENDING', now() - interval '1 day')`);
  const { facts, unread } = await gatherFacts(pools, otherLayout({ inFlight: ["BUSY"] }), FACT_LIMITS);
  expect(unread).toEqual([]);
  expect(facts.expiredClaims).toMatchObject({
    claims: 2,
    messages: 2,
    capped: false,
    claimedAtKnown: false,
    owners: [],
  });
});
