import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PARTITIONS } from "#domain/relay/partitions.ts";
import type { RelayHeartbeat } from "../port/relay/relay-heartbeat.ts";
import { makeHeartbeat } from "./heartbeat.fixture.ts";
import { failed, openRelayHand, PUBLISHED } from "./open-outbox.fixture.ts";
import { AN_HOUR_MS, type OperatorDesk, openDesk } from "./operator-desk.fixture.ts";
import { PLAIN, type StoreUnderTest } from "./store-under-test.fixture.ts";

const A_DAY_MS = 86_400_000;
const SINK = { name: "kafka", kind: "kafka", address: "localhost:9092" };

/** Requirements of every engine for records of relays and of their work. */
export function describeRelayRecords(engine: StoreUnderTest): void {
  describe(`records of relays of ${engine.kind}`, () => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, PLAIN);
    });
    afterEach(() => desk.close());

    const records = () => desk.store.records;
    const beat = async (id: string, more: Partial<RelayHeartbeat> = {}) =>
      (await desk.relay()).table.writeHeartbeat(makeHeartbeat(id, { sink: SINK, latency: [0, 0, 0], ...more }), {
        silentMs: AN_HOUR_MS,
      });
    const relayIds = async () => (await records().relays("orders")).relays.map(({ id }) => id);

    test("a relay is listed as it last said, the owner first", async () => {
      await beat("relay-1", { state: "owner", published: 3 });
      const at = new Date("2026-03-01T10:00:00.123Z");
      const breaker = { code: "unreachable", message: "refused", since: at.toISOString(), nextProbeAt: null };
      await beat("relay-1", {
        state: "holding",
        published: 9_007_199_254_740_991,
        failures: 2,
        inFlight: 5,
        lastPublishedAt: at,
        lastError: 'zoë 💥 "quoted"',
        lastErrorAt: at,
        breaker,
        foreignPublished: 1,
        clockOffsetMs: -12.5,
        partitions: 7,
        latency: [1, 0, 2],
      });
      await beat("relay-2", { state: "owner" });
      const { relays } = await records().relays("orders");
      expect(relays.map(({ id }) => id)).toEqual(["relay-2", "relay-1"]);
      expect(relays[1]).toMatchObject({
        outbox: "orders",
        host: "host-1",
        pid: 42,
        version: "1.2.3",
        state: "holding",
        source: "polling",
        sink: SINK,
        published: 9_007_199_254_740_991,
        failures: 2,
        inFlight: 5,
        lastError: 'zoë 💥 "quoted"',
        breaker,
        routes: [],
        foreignPublished: 1,
        clockOffsetMs: -12.5,
        partitions: 7,
        stream: null,
        latency: [1, 0, 2],
      });
      expect(Date.parse(relays[1]?.lastPublishedAt ?? "")).toBe(at.getTime());
      expect(relays[1]?.heartbeatAgeSeconds).toBeGreaterThanOrEqual(0);
      expect(Date.parse(relays[1]?.heartbeatAt ?? "")).toBeGreaterThan(Date.parse(relays[1]?.startedAt ?? ""));
      expect(await records().relays("another")).toEqual({ relays: [], leases: [], paused: { pauses: [], total: 0 } });
    });

    test("of relays that have been silent for more than a day the last one is listed, and what all did is no relay", async () => {
      await beat("first");
      await desk.database.backdateHeartbeats(2 * A_DAY_MS);
      await beat("second");
      await beat("last");
      expect(await relayIds()).toEqual(["last", "second"]);
      await desk.database.backdateHeartbeats(2 * A_DAY_MS);
      expect(await relayIds()).toEqual(["last"]);
      await records().retireRelays(1);
      expect(await relayIds()).toEqual(["last"]);
    });

    test("leases are listed by owner and term, live or expired", async () => {
      const [one, two] = [openRelayHand(desk.outbox, "one"), openRelayHand(desk.outbox, "two")];
      const mine = await one.acquire({ leaseMs: AN_HOUR_MS, share: true, most: 3 });
      await two.acquire({ leaseMs: AN_HOUR_MS, share: true, most: 2 });
      const leasesOf = async (owner: string) =>
        (await records().relays("orders")).leases.filter((lease) => lease.owner === owner);
      expect(await leasesOf("one")).toMatchObject([
        { outbox: "orders", partitions: mine?.partitions, epoch: mine?.epoch, expired: false },
      ]);
      await one.table.releaseLease(one.lease);
      expect(await leasesOf("one")).toMatchObject([{ partitions: mine?.partitions, expired: true }]);
      expect(await leasesOf("two")).toMatchObject([{ partitions: two.lease.partitions, expired: false }]);
      const all = (await records().relays("orders")).leases.flatMap(({ partitions }) => partitions);
      expect(all.toSorted((left, right) => left - right)).toEqual(Array.from({ length: PARTITIONS }, (_, n) => n));
      for (const { table } of [one, two]) await table.close();
    });

    test("relays that have long been silent are forgotten but for the last; the totals keep what they did", async () => {
      const done = { published: 10, failures: 1, latency: [1, 2, 3] };
      for (const id of ["first", "second", "last"]) await beat(id, done);
      const totals = await records().totals("orders");
      expect(totals).toEqual({ published: 30, failures: 3, latency: [3, 6, 9] });
      expect(await records().retireRelays(1)).toBe(0);
      expect(await relayIds()).toHaveLength(3);
      const retired = await Promise.all([records().retireRelays(0), desk.database.openStore().records.retireRelays(0)]);
      expect(retired[0] + retired[1]).toBe(2);
      expect(await relayIds()).toEqual(["last"]);
      expect(await records().totals("orders")).toEqual(totals);
      await beat("next", done);
      expect(await records().retireRelays(0)).toBe(1);
      expect(await relayIds()).toEqual(["next"]);
      expect(await records().totals("orders")).toEqual({ published: 40, failures: 4, latency: [4, 8, 12] });
      expect(await records().totals("another")).toEqual({ published: 0, failures: 0, latency: [] });
    });

    test("attempts that are too old go in batches, and the others stay", async () => {
      const ids = await desk.table.insert(Array.from({ length: 5 }, (_, n) => ({ aggregateId: String(n) })));
      const hand = await desk.relay();
      const old = { ...failed(0), startedAt: new Date(Date.now() - 10 * A_DAY_MS) };
      await hand.settle(await hand.claim(), old);
      const again = await hand.table.claimDueRetries({ lease: hand.lease, limit: 10, excludeIds: [] });
      if (!again) throw new Error("Nothing is due.");
      await hand.settle(again, PUBLISHED);
      const gone: number[] = [];
      for (let n = 0; n < 4; n += 1) gone.push(await records().deleteOldAttempts(7, 2));
      expect(gone).toEqual([2, 2, 1, 0]);
      for (const id of ids) {
        const message = await desk.outbox.read.message(id);
        expect(message?.history.attempts.map(({ outcome, number }) => [outcome, number])).toEqual([["published", 2]]);
      }
    });

    test("records of restores that are too old go in batches, where no stream needs them", async () => {
      const ids = await Promise.all([0, 1, 2].map(() => desk.table.insert([{ state: "published" }])));
      for (const [id = ""] of ids) {
        await desk.act("archive", id);
        await desk.act("restore", id);
      }
      expect(await records().deleteOldRestored(1, 10)).toBe(0);
      const gone: number[] = [];
      for (let n = 0; n < 3; n += 1) gone.push(await records().deleteOldRestored(0, 2));
      expect(desk.store.capabilities.stream === "none" ? [gone[2]] : gone).toEqual(
        desk.store.capabilities.stream === "none" ? [0] : [2, 1, 0],
      );
    });
  });
}
