import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RouteOutage } from "#db/stores/port/relay/route-outage.ts";
import { explainMessage } from "#services/messages/explain-message.ts";
import { listRelays } from "#services/relays/list-relays.ts";
import type { ReceivedRequest } from "#tests/http-receiver.ts";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Delivery, inversions, unsentCount } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

const bodyOf = (request: ReceivedRequest): Delivery => JSON.parse(request.body.toString("utf8"));
const typeOf = (request: ReceivedRequest) => String(request.headers["event-type"]);
const BROKEN = "invoice.rendered";

describe("a route at fault", () => {
  let harness: RuntimeHarness;
  beforeEach(async () => {
    harness = await openRuntimeHarness();
  });
  afterEach(() => harness.close());

  /** `count` events, cycling through `aggregates` and `types`. */
  const insert = (input: { count: number; aggregates: number; types: string[]; from?: number; prefix?: string }) =>
    harness.pool.query(
      `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
       SELECT 'order', $4 || (i % $2), ($3::text[])[1 + (i / $2) % cardinality($3::text[])], jsonb_build_object('aggregate', $4 || (i % $2), 'n', $5::int + i / $2)
       FROM generate_series(0, $1 - 1) i ORDER BY i`,
      [input.count, input.aggregates, input.types, input.prefix ?? "a", input.from ?? 0],
    );
  const relay = async () => {
    const [only] = (await listRelays({ runtime: harness.runtime })).relays;
    return only;
  };
  const outage = (name = BROKEN): Promise<RouteOutage> =>
    waitFor(async () => (await relay())?.routes.find((route) => route.name === name) ?? null, {
      message: "the route is at fault",
    });
  const unsent = (count: number) =>
    waitFor(async () => (await unsentCount(harness.pool)) === count, { message: `${count} are unsent` });
  const breakType = (status: number, headers?: Record<string, string>) =>
    harness.receiver.answerWith((request) =>
      typeOf(request) === BROKEN ? { status, body: "no template", ...(headers ? { headers } : {}) } : { status: 204 },
    );
  const postponed = () => harness.scalar("SELECT count(*)::int FROM outbox_console.delivery");
  const charged = () =>
    harness.scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE outcome IN ('failed', 'dead')");

  test("its messages say so, and so do those that wait behind one of them", async () => {
    breakType(500);
    await harness.start();
    await insert({ count: 40, aggregates: 10, types: ["order.paid", BROKEN, "order.shipped"] });
    await outage();
    const why = async (eventType: string) => {
      const { rows } = await harness.pool.query<{ id: string }>(
        "SELECT id FROM outbox_events WHERE published_at IS NULL AND event_type = $1 ORDER BY id LIMIT 1",
        [eventType],
      );
      return explainMessage({ runtime: harness.runtime, outbox: "orders", id: rows[0]?.id ?? "" });
    };
    const explained = (eventType: string, summary: RegExp) =>
      waitFor(async () => ((await why(eventType)).reasons.at(0)?.rule === "route_failing" ? why(eventType) : null), {
        message: `it explains ${eventType}`,
      }).then((answer) => expect(answer.summary).toMatch(summary));
    await explained(BROKEN, /^Every delivery of invoice\.rendered fails \(HTTP 500: no template\) since .*\.$/);
    await explained("order.shipped", /^It waits behind a message of a\d: every delivery of invoice\.rendered fails/);
    expect((await why(BROKEN)).reasons[0]?.next).toMatch(/^Repair the receiver of invoice\.rendered;/);
  });

  test.each(
    variants<[number, string]>(
      [
        [500, "server_error"],
        [429, "throttled"],
      ],
      [
        [404, "unavailable"],
        [503, "unavailable"],
        [403, "auth"],
      ],
    ),
  )("one type answered with %i waits and burns nothing; others flow, in order", async (status, code) => {
    breakType(status);
    await harness.start({ relay: ["maxAttempts: 3"] });
    const firstAt = new Date(String(await harness.scalar("SELECT clock_timestamp()")));
    await insert({ count: 40, aggregates: 10, types: ["order.paid", BROKEN, "order.shipped", "order.closed"] });
    await insert({ count: 20, aggregates: 5, types: ["order.paid"], prefix: "fine" });
    // In the ten mixed aggregates, messages before the broken type are sent, and none behind it.
    await unsent(30);
    const found = await outage();
    expect(found).toMatchObject({ kind: "event_type", name: BROKEN, code, message: `HTTP ${status}: no template` });
    await waitFor(async () => (await outage()).aggregates === 10, { message: "all aggregates are known to wait" });
    const since = Date.parse((await outage()).since);
    expect(since).toBeGreaterThanOrEqual(firstAt.getTime());
    expect(since).toBeLessThanOrEqual(Date.now());
    // Later messages flow soon, while the sink's breaker stays closed.
    const probes = () => harness.receiver.requests.filter((request) => typeOf(request) === BROKEN).length;
    const before = probes();
    await insert({ count: 50, aggregates: 10, types: ["order.paid"], prefix: "later" });
    await unsent(30);
    await waitFor(() => probes() > before + 1, { message: "it is probed" });
    expect((await relay())?.breaker).toBeNull();
    expect(await outage()).toMatchObject({ since: new Date(since).toISOString() });
    // A slow start may have written attempts of the messages: they are refunded.
    await waitFor(async () => (await charged()) === 0, { message: "nothing is charged" });
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(20_000);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(async () => (await relay())?.routes.length === 0, { message: "the route is well" });
    expect(await charged()).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.dead_letter")).toBe(0);
  });

  test("a throttled message that waited on its own account is given back once its type is at fault", async () => {
    const insertEach = (rows: [aggregate: string, eventType: string][]) =>
      harness.pool.query(
        `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
         SELECT 'order', a, t, jsonb_build_object('aggregate', a, 'n', 0) FROM unnest($1::text[], $2::text[]) AS u(a, t)`,
        [rows.map(([aggregate]) => aggregate), rows.map(([, eventType]) => eventType)],
      );
    breakType(429, { "retry-after": "3600" });
    await harness.start({ relay: ["maxAttempts: 3", "concurrency: 1"] });
    // One aggregate is throttled and the next gets through: the message alone is to blame, and waits an hour.
    await insertEach([
      ["a", BROKEN],
      ["b", "order.paid"],
    ]);
    await waitFor(async () => (await postponed()) === 1, { message: "it waits by itself" });
    // Two more of the type are throttled as well: it is the type.
    await insertEach([
      ["c", BROKEN],
      ["d", BROKEN],
      ["e", "order.paid"],
    ]);
    await outage();
    await waitFor(async () => (await postponed()) === 0, { message: "the first is given back" });
    expect(await charged()).toBe(0);
  });

  test("only the broken type waits behind the sink's breaker: its first probe is of another type", async () => {
    breakType(500);
    await insert({ count: 30, aggregates: 30, types: [BROKEN] });
    await insert({ count: 5, aggregates: 5, types: ["order.paid"], prefix: "fine" });
    await harness.start({ relay: ["maxAttempts: 3", "batchSize: 10"] });
    await unsent(30);
    await outage();
    expect(await charged()).toBe(0);
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(20_000);
  });

  test("a sink that is down for all types puts no route at fault when it is back", async () => {
    harness.receiver.answerWith({ status: 500 });
    await insert({ count: 60, aggregates: 20, types: ["order.paid", BROKEN, "order.closed"] });
    await harness.start({ relay: ["maxAttempts: 2"] });
    await waitFor(async () => (await relay())?.breaker ?? null, { message: "the breaker is open" });
    const since = (await relay())?.breaker?.since;
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 2);
    expect((await relay())?.breaker?.since).toBe(since);
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(20_000);
    expect(await charged()).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
  });

  test("without order per aggregate only the type waits", async () => {
    breakType(500);
    await insert({ count: 40, aggregates: 10, types: ["order.paid", BROKEN] });
    await harness.start({ relay: ["ordering: none", "maxAttempts: 3"] });
    await unsent(20);
    await insert({ count: 20, aggregates: 10, types: ["order.paid", BROKEN], from: 10 });
    await unsent(30);
    await outage();
    expect(await charged()).toBe(0);
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(20_000);
  });

  test("a message that is dead-lettered by hand lets later messages go on", async () => {
    breakType(500);
    await harness.start({ relay: ["maxAttempts: 3"] });
    await insert({ count: 12, aggregates: 4, types: [BROKEN, "order.closed"] });
    await insert({ count: 4, aggregates: 4, types: ["order.paid"], prefix: "fine" });
    await unsent(12);
    await outage();
    await harness.pool.query("DELETE FROM outbox_events WHERE event_type = $1", [BROKEN]);
    await unsent(0);
  });

  test("a route whose waiting messages are all deleted lets new ones out once it works", async () => {
    breakType(500);
    await harness.start({ relay: ["maxAttempts: 3"] });
    await insert({ count: 3000, aggregates: 3000, types: [BROKEN] });
    await insert({ count: 4, aggregates: 4, types: ["order.paid"], prefix: "fine" });
    await waitFor(async () => (await outage()).aggregates === 3000, { message: "all are known to wait" });
    await harness.pool.query("DELETE FROM outbox_events WHERE event_type = $1", [BROKEN]);
    harness.receiver.answerWith({ status: 204 });
    await insert({ count: 20, aggregates: 20, types: [BROKEN], prefix: "new" });
    await harness.waitUntilSent(20_000);
  });

  test("the sink's wish to wait is kept, and one aggregate that is throttled burns nothing", async () => {
    const refusedAtMs: number[] = [];
    harness.receiver.answerWith((request) => {
      if (bodyOf(request).aggregate !== "a0") return { status: 204 };
      refusedAtMs.push(performance.now());
      return { status: 429, headers: { "retry-after": "3" } };
    });
    await harness.start({ relay: ["maxAttempts: 2"] });
    await insert({ count: 20, aggregates: 4, types: ["order.paid"] });
    await insert({ count: 400, aggregates: 4, types: ["order.paid"], prefix: "fine" });
    await waitFor(() => refusedAtMs.length > 0, { message: "it is refused" });
    await unsent(5);
    await waitFor(() => refusedAtMs.length > 1, { message: "it is tried again" });
    const [first = 0, second = 0] = refusedAtMs;
    expect(second - first).toBeGreaterThan(2_900);
    expect(await harness.scalar("SELECT max(attempts) FROM outbox_console.delivery")).toBe(0);
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(20_000);
  });
});
