import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { pauseRequestSchema, resumeRequestSchema } from "#contracts/outbox/relays.ts";
import { explainMessage } from "#services/messages/explain-message.ts";
import { getMessage } from "#services/messages/get-message.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import { listRelays } from "#services/relays/list-relays.ts";
import { pauseRelay, resumeRelay } from "#services/relays/pause-relay.ts";
import type { Runtime } from "#services/runtime.ts";
import { ADMIN, contextOf, OPERATOR, VIEWER } from "#tests/factories/runtime.ts";
import type { ReceivedRequest } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Delivery, insertEvents, inversions, unsentCount } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

const bodyOf = (request: ReceivedRequest): Delivery => JSON.parse(request.body.toString("utf8"));

describe("pauses", () => {
  let harness: RuntimeHarness;
  let runtime: Runtime;
  beforeEach(async () => {
    harness = await openRuntimeHarness();
    runtime = harness.runtime;
  });
  afterEach(() => harness.close());

  const pause = (subject: object, actor = OPERATOR) =>
    pauseRelay({
      ctx: contextOf(runtime, actor),
      outbox: "orders",
      request: pauseRequestSchema.parse({ reason: "the consumer is being repaired", ...subject }),
    });
  const resume = (subject: object) =>
    resumeRelay({
      ctx: contextOf(runtime, OPERATOR),
      outbox: "orders",
      request: resumeRequestSchema.parse({ reason: "repaired", ...subject }),
    });
  const unsent = (count: number) =>
    waitFor(async () => (await unsentCount(harness.pool)) === count, { message: `${count} are unsent` });
  const insertTypes = (...types: [aggregate: string, type: string][]) =>
    harness.pool.query(
      `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
       SELECT 'order', a, t, jsonb_build_object('aggregate', a, 'n', i) FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u(a, t, i) ORDER BY i`,
      [types.map(([aggregate]) => aggregate), types.map(([, type]) => type)],
    );
  const sent = (aggregate?: string) =>
    harness.receiver.requests
      .map(bodyOf)
      .filter((delivery) => aggregate === undefined || delivery.aggregate === aggregate)
      .map(({ n }) => n);
  const claims = () => harness.scalar("SELECT count(*)::int FROM outbox_console.claim");

  test("an aggregate waits, others flow; resumed, it goes on in order", async () => {
    await pause({ aggregateKey: "order/a1" });
    await harness.start();
    await insertEvents(harness.pool, { count: 40, aggregates: 4 });
    await unsent(10);
    expect(sent("a1")).toEqual([]);
    await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
    const { rows } = await harness.pool.query("SELECT id FROM outbox_events WHERE aggregate_id = 'a1' LIMIT 1");
    const why = await explainMessage({ runtime, outbox: "orders", id: rows[0].id });
    expect(why.summary).toMatch(/^The aggregate order\/a1 is paused by .*\.$/);
    await resume({ aggregateKey: "order/a1" });
    await unsent(0);
    expect(inversions(harness.deliveries())).toEqual([]);
    const audit = await harness.pool.query("SELECT action, detail, reason FROM outbox_console.audit ORDER BY id");
    expect(audit.rows).toEqual([
      { action: "relay.pause", detail: "aggregate order/a1, for 60 minutes", reason: "the consumer is being repaired" },
      { action: "relay.resume", detail: "aggregate order/a1", reason: "repaired" },
    ]);
  });

  test("resumed, an outbox tries its receiver at once, although that had asked for an hour", async () => {
    harness.receiver.answerWith({ status: 503, headers: { "retry-after": "3600" } });
    await harness.start();
    await insertEvents(harness.pool, { count: 20, aggregates: 10 });
    const relays = async () => (await listRelays({ runtime })).relays;
    await waitFor(async () => (await relays())[0]?.breaker?.nextProbeAt != null, { message: "it waits for an hour" });
    harness.receiver.answerWith({ status: 204 });
    await pause({});
    await waitFor(async () => (await relays())[0]?.state === "paused", { message: "the relay has paused" });
    await resume({});
    await unsent(0);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("quarantine sends nothing of a paused type, and nothing behind it", async () => {
    await pause({ eventType: "order.refunded" });
    await insertTypes(
      ["a", "order.refunded"],
      ["a", "order.paid"],
      ["b", "order.refunded"],
      ["b", "order.paid"],
      ["c", "order.paid"],
    );
    // Two relays died with all of them, or with all but one of the paused ones; `c` comes last in quarantine.
    await harness.pool.query(
      `INSERT INTO outbox_console.suspect (outbox, message_id, orphaned, crashes, at)
       SELECT 'orders', id::text, 2, 0, clock_timestamp() + (payload->>'n')::int * interval '1 ms' FROM outbox_events
       WHERE (payload->>'n')::int <> 3`,
    );
    await harness.start();
    await unsent(4);
    expect(sent()).toEqual([5]);
    await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
    await resume({ eventType: "order.refunded" });
    await unsent(0);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("an aggregate that is paused while hundreds of its messages are in memory stops without losing any", async () => {
    harness.receiver.answerWith((request) => ({ status: 204, delayMs: bodyOf(request).aggregate === "a0" ? 250 : 5 }));
    await insertEvents(harness.pool, { count: 300, aggregates: 2 });
    await harness.start();
    await harness.receiver.waitForRequests(20);
    await pause({ aggregateKey: "order/a0" });
    await waitFor(async () => sent("a1").length === 150, { message: "the other is out" });
    await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
    expect(await unsentCount(harness.pool)).toBe(150 - sent("a0").length);
    expect(sent("a0").length).toBeLessThan(150);
    harness.receiver.answerWith({ status: 204 });
    await resume({ aggregateKey: "order/a0" });
    await unsent(0);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("a paused event type waits; later messages of its aggregates do not overtake it, earlier ones go", async () => {
    await pause({ eventType: "order.refunded" });
    await insertTypes(
      ["a", "order.paid"],
      ["a", "order.refunded"],
      ["a", "order.shipped"],
      ["b", "order.refunded"],
      ["c", "order.paid"],
    );
    await harness.start();
    await unsent(3);
    expect(sent().sort()).toEqual([1, 5]);
    await insertTypes(["a", "order.closed"], ["d", "order.paid"]);
    await unsent(4);
    await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
    const { rows } = await harness.pool.query(
      "SELECT id FROM outbox_events WHERE event_type = 'order.refunded' LIMIT 1",
    );
    const why = await explainMessage({ runtime, outbox: "orders", id: rows[0].id });
    expect(why.summary).toContain("The event type order.refunded is paused by");
    const snapshot = await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt");
    expect(snapshot).toBe(0);
    await resume({ eventType: "order.refunded" });
    await unsent(0);
    expect(sent("a")).toEqual([1, 2, 3, 1]);
  });

  test("what follows a paused message goes on once an operator dead-letters that one", async () => {
    await pause({ eventType: "order.refunded" });
    await insertTypes(["a", "order.paid"], ["a", "order.refunded"], ["a", "order.shipped"]);
    await harness.start();
    await unsent(2);
    await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
    const { rows } = await harness.pool.query("SELECT id FROM outbox_events WHERE event_type = 'order.refunded'");
    const { message } = await getMessage({ runtime, outbox: "orders", id: rows[0].id });
    await performOperation({
      ctx: contextOf(runtime, OPERATOR),
      outbox: "orders",
      request: targetedRequestSchema.parse({
        action: "dead-letter",
        targets: [{ id: message.id, version: message.version }],
        reason: "INC-42",
      }),
      idempotencyKey: "dead-letter-paused",
    });
    await unsent(0);
    expect(sent("a")).toEqual([1, 3]);
  });

  test("a paused event type waits alone where order is not kept", async () => {
    await pause({ eventType: "order.refunded" });
    await insertTypes(["a", "order.refunded"], ["a", "order.shipped"], ["a", "order.refunded"]);
    await harness.start({ relay: ["ordering: none"] });
    await unsent(2);
    expect(sent()).toEqual([2]);
    await resume({ eventType: "order.refunded" });
    await unsent(0);
  });

  test("a retried paused message waits too, and uses up no attempt", async () => {
    harness.receiver.answerWith((request) => ({ status: bodyOf(request).aggregate === "a0" ? 500 : 204 }));
    await insertEvents(harness.pool, { count: 2, aggregates: 2 });
    await harness.start({ relay: ["maxAttempts: 50"] });
    await waitFor(async () => (await harness.scalar("SELECT max(attempts) FROM outbox_console.delivery")) !== null, {
      message: "it failed",
    });
    await pause({ aggregateKey: "order/a0" });
    const tries = () => sent("a0").length;
    let seen = -1;
    await waitFor(
      async () => {
        const before = seen;
        seen = tries();
        return before === seen;
      },
      { intervalMs: 1500, message: "it is not tried any more" },
    );
    harness.receiver.answerWith({ status: 204 });
    await resume({ aggregateKey: "order/a0" });
    await unsent(0);
  });

  test("a pause that matches no message yet is accepted, and shown", async () => {
    await insertTypes(["a0", "order.paid"]);
    for (const there of [{ eventType: "order.paid" }, { aggregateKey: "order/a0" }, {}])
      expect(await pause(there)).toEqual({ notice: null });
    expect((await pause({ eventType: "order.payed" })).notice).toMatch(/^No message of event type order\.payed is in/);
    for (const aggregateKey of ["order/a1", "bill/a0", "a/b/"])
      expect((await pause({ aggregateKey })).notice).toContain(`No message of aggregate ${aggregateKey} is in`);
    expect((await listRelays({ runtime })).pauses).toHaveLength(7);
  });

  test("a pause ends at its expiry; a viewer may not pause; a pause has one subject", async () => {
    await pause({ aggregateKey: "order/a0" });
    await harness.pool.query("UPDATE outbox_console.pause SET until = clock_timestamp() + interval '1500 ms'");
    await harness.start();
    await insertEvents(harness.pool, { count: 2 });
    await harness.waitUntilSent();
    await expect(pause({ aggregateKey: "order/a0" }, VIEWER)).rejects.toMatchObject({ code: "forbidden" });
    expect(pauseRequestSchema.safeParse({ reason: "both", eventType: "a", aggregateKey: "b" }).success).toBe(false);
    await expect(resume({ eventType: "nothing" })).rejects.toMatchObject({ code: "wrong_state" });
  });

  describe("an aggregate behind a dead message, with onDead: hold", () => {
    const HOLD = { relay: ["onDead: hold"] };
    /** n = 1 of a0 is rejected permanently; later messages of a0 wait. */
    const holdA0 = async () => {
      harness.receiver.answerWith((request) => {
        const { aggregate, n } = bodyOf(request);
        return { status: aggregate === "a0" && n === 1 ? 422 : 204 };
      });
      await insertEvents(harness.pool, { count: 12, aggregates: 2 });
      await harness.start(HOLD);
      await unsent(4);
      await waitFor(async () => (await claims()) === 0, { message: "no claim is left" });
      expect(sent("a0")).toEqual([0, 1]);
      harness.receiver.answerWith({ status: 204 });
      const { rows } = await harness.pool.query("SELECT message_id AS id FROM outbox_console.dead_letter");
      return rows[0].id as string;
    };
    const act = async (action: "retry" | "archive", id: string) => {
      const { message } = await getMessage({ runtime, outbox: "orders", id });
      const { outcomes } = await performOperation({
        ctx: contextOf(runtime, ADMIN),
        outbox: "orders",
        request: targetedRequestSchema.parse({
          action,
          targets: [{ id, version: message.version }],
          reason: "dealt with",
        }),
        idempotencyKey: null,
      });
      return outcomes[0];
    };

    test("waits, also across a restart, and says why", async () => {
      const id = await holdA0();
      const { pauses } = await listRelays({ runtime });
      expect(pauses).toEqual([
        expect.objectContaining({ scope: "aggregate", subject: "order/a0", by: "relay", messageId: id, until: null }),
      ]);
      const { rows } = await harness.pool.query("SELECT id FROM outbox_events WHERE published_at IS NULL LIMIT 1");
      const why = await explainMessage({ runtime, outbox: "orders", id: rows[0].id });
      expect(why.summary).toContain("is held");
      expect(why.reasons[0]?.next).toContain(id);
      await harness.stop();
      await harness.start(HOLD);
      await insertEvents(harness.pool, { count: 1, prefix: "new" });
      await unsent(4);
      expect(sent("a0")).toEqual([0, 1]);
    });

    test("goes on behind the message when it is retried", async () => {
      const id = await holdA0();
      expect((await act("retry", id))?.message).toContain("held behind it and is now released");
      await unsent(0);
      expect(sent("a0")).toEqual([0, 1, 1, 2, 3, 4, 5]);
    });

    test("goes on without the message when it is archived", async () => {
      await act("archive", await holdA0());
      await unsent(0);
      expect(sent("a0")).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test("goes on without the message when the aggregate is resumed", async () => {
      await holdA0();
      await resume({ aggregateKey: "order/a0" });
      await unsent(0);
      expect(sent("a0")).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.dead_letter")).toBe(1);
    });
  });
});
