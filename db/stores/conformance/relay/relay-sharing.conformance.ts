import { describe, expect, test } from "vitest";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import type { Lease } from "../../port/relay/lease.ts";
import { failed, PUBLISHED, READ_ALL, type RelayHand } from "../open-outbox.fixture.ts";
import { PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { AN_HOUR_MS, claimIds, claimRetries, idsOf, runOut, stageRelays, takeOver } from "./relay-stage.fixture.ts";

const AGGREGATES = 60;

/** An outbox that several owners publish: every partition, and with it every aggregate, belongs to one of them. */
export function describeRelaySharing(engine: StoreUnderTest): void {
  describe(`${engine.kind} as an outbox that is shared`, () => {
    const stage = stageRelays(engine, PLAIN);

    const insertMany = () =>
      stage.table.insert(
        Array.from({ length: 3 * AGGREGATES }, (_, index) => ({
          aggregateId: index % 10 === 0 ? null : `a${index % AGGREGATES}`,
        })),
      );
    const share = (hand: RelayHand, most = ALL_PARTITIONS.length) => takeOver(hand, { share: true, most });
    const partitionsOf = (leases: readonly Lease[]) =>
      leases.flatMap(({ partitions }) => partitions).sort((left, right) => left - right);

    test.each([
      { owners: 2, most: 16 },
      { owners: 3, most: 11 },
    ])("$owners owners have all partitions between them, and claim everything once", async ({ owners, most }) => {
      const ids = await insertMany();
      const hands = Array.from({ length: owners }, (_, index) => stage.relay(`relay-${index}`));
      for (const hand of hands) await share(hand, most);
      expect(partitionsOf(hands.map(({ lease }) => lease))).toEqual(ALL_PARTITIONS);
      expect(new Set(hands.map(({ lease }) => lease.epoch)).size).toBe(owners);
      const claims = await Promise.all(hands.map((hand) => hand.claim()));
      expect(claims.flatMap(idsOf).sort()).toEqual([...ids].sort());
      const keysOf = claims.map((claim) => claim.messages.flatMap(({ aggregateKey }) => aggregateKey ?? []));
      expect(new Set(keysOf.flat()).size).toBe(keysOf.reduce((sum, keys) => sum + new Set(keys).size, 0));
      for (const [index, hand] of hands.entries()) {
        const claim = claims[index]!;
        expect(claim.messages.map(({ order }) => order)).toEqual(
          claim.messages.map(({ order }) => order).sort((left, right) => hand.table.compareOrder(left, right)),
        );
        expect((await hand.settle(claim, PUBLISHED)).published).toEqual(idsOf(claim));
      }
    });

    test("without order the messages of one aggregate may be anyone's, and each is one's", async () => {
      const ids = await insertMany();
      const hands = ["one", "two"].map((owner) => stage.relay(owner, { ordering: "none" }));
      for (const hand of hands) await share(hand, 16);
      const claims = await Promise.all(hands.map((hand) => hand.claim()));
      expect(claims.flatMap(idsOf).sort()).toEqual([...ids].sort());
      expect(claims.flatMap(({ messages }) => messages.map(({ aggregateKey }) => aggregateKey))).toEqual(
        ids.map(() => null),
      );
    });

    test("an owner that has everything shares nothing until it gives some up, in a new term", async () => {
      const [one, two] = [await stage.owner("one"), stage.relay("two")];
      expect(await two.acquire({ share: true })).toBeNull();
      const all = one.lease;
      const kept = await share(one, 20);
      expect(kept.partitions).toHaveLength(20);
      expect(await one.table.renewLease(all)).toBe(false);
      const other = await share(two, 20);
      expect(other.partitions).toHaveLength(ALL_PARTITIONS.length - 20);
      expect(partitionsOf([kept, other])).toEqual(ALL_PARTITIONS);
      expect([await one.table.renewLease(kept), await two.table.renewLease(other)]).toEqual([true, true]);
    });

    test("whoever wants the whole outbox waits until nobody else has any of it", async () => {
      const [some, whole] = [stage.relay("some"), stage.relay("whole")];
      await share(some, 3);
      expect(await whole.acquire()).toBeNull();
      await some.table.releaseLease(some.lease);
      expect((await whole.acquire())?.partitions).toEqual(ALL_PARTITIONS);
    });

    test("a new term ends the claims of the dead, and never those of the living", async () => {
      await insertMany();
      const [dead, living, next] = ["dead", "living", "next"].map((owner) => stage.relay(owner)) as [
        RelayHand,
        RelayHand,
        RelayHand,
      ];
      await share(dead, 16);
      await share(living);
      const [lost, kept] = [await dead.claim(), await living.claim()];
      await runOut(dead);
      const { orphaned } = await share(next, 4);
      expect(orphaned.map(({ id }) => id).sort()).toEqual(idsOf(lost).sort());
      expect(await dead.table.renewLease(dead.lease)).toBe(false);
      expect(await living.table.renewLease(living.lease)).toBe(true);
      expect((await living.settle(kept, PUBLISHED)).published).toEqual(idsOf(kept));
      expect((await dead.settle(lost, PUBLISHED)).fenced).toEqual(idsOf(lost));
    });

    test("a failed message is known to the owner of its aggregate alone", async () => {
      await insertMany();
      const [one, two] = [stage.relay("one"), stage.relay("two")];
      await share(one, 16);
      await share(two);
      const claim = await one.claim();
      await one.settle(claim, failed(0));
      const listed = await one.table.listRetries({ lease: one.lease });
      expect(listed.map(({ id }) => id).sort()).toEqual(idsOf(claim).sort());
      expect(await two.table.listRetries({ lease: two.lease })).toEqual([]);
      expect(await claimRetries(two, 1000)).toBeNull();
      expect(idsOf(await claimRetries(one, 1000)).sort()).toEqual(idsOf(claim).sort());
    });

    test("what was noticed of failures and heads goes with the partition to its next owner", async () => {
      await insertMany();
      const [one, two] = [await stage.owner("one"), stage.relay("two")];
      const claim = await one.claim();
      await one.settle(claim, failed(AN_HOUR_MS));
      await share(one, 16);
      await share(two);
      const retries = await Promise.all([one, two].map(({ table, lease }) => table.listRetries({ lease })));
      expect(
        retries
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(idsOf(claim).sort());
      expect(Math.min(...retries.map((entries) => entries.length))).toBeGreaterThan(0);
    });

    test("peeks, searches and looks of an owner show its own partitions", async () => {
      await insertMany();
      const [one, two] = [stage.relay("one"), stage.relay("two")];
      await share(one, 16);
      await share(two);
      const [mine, other] = [await claimIds(one), await claimIds(two)];
      const looked = await one.table.lookAhead({ lease: one.lease, after: null, excludeIds: [] });
      expect(looked.rows.map(({ id }) => id)).toEqual(mine);
      expect(await one.table.hasNew({ ...READ_ALL, lease: one.lease, excludeIds: mine })).toBe(false);
      expect((await one.table.findUnread({ ...READ_ALL, lease: one.lease, excludeIds: mine })).found).toBeNull();
      expect(await one.table.hasNew({ ...READ_ALL, lease: one.lease, excludeIds: other })).toBe(true);
    });
  });
}
