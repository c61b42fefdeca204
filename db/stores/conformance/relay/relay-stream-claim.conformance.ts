import { beforeEach, describe, expect, test } from "vitest";
import { variants } from "#tests/test-depth.ts";
import { LeaseLostError } from "../../port/relay/lease.ts";
import type { Notice } from "../../port/relay/relay-stream.ts";
import { DEAD, failed, PUBLISHED } from "../open-outbox.fixture.ts";
import { BARE, BY_CAPABILITY, byName, type Layout, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { AN_HOUR_MS, claimIds, claimRetries, dieFor, idsOf } from "./relay-stage.fixture.ts";
import { stageStreams } from "./stream-stage.fixture.ts";

interface Marks {
  mark: "column" | "delete";
  layout: Layout;
}
const MARKS = variants<Marks>(
  [
    { mark: "column", layout: byName("status") },
    { mark: "delete", layout: byName("delete") },
  ],
  [
    { mark: "column", layout: byName("timestamp") },
    { mark: "column", layout: BARE },
    { mark: "delete", layout: byName("timestamp") },
  ],
);

/** Claims of notices from the log, where the table's rows show which messages are unsent. */
export function describeRelayStreamClaim(engine: StoreUnderTest): void {
  describe.each(MARKS)(
    `${engine.kind} claiming what the log tells, mark $mark, with $layout.name`,
    ({ mark, layout }) => {
      const { stage, reader, listen } = stageStreams(engine, layout);

      const start = async () => {
        const hand = await reader(mark);
        const listening = await listen(hand.stream);
        const claim = (notices: readonly Notice[]) => hand.stream.claim({ lease: hand.lease, notices });
        return { hand, listening, claim };
      };

      test("takes rows in the order of the notices, which is that of the commits", async () => {
        const { hand, listening, claim } = await start();
        const early = await stage.table.beginInsert([{}]);
        const later = await stage.table.insert([{ payload: '{"n":2}' }]);
        await early.commit();
        const { claim: found, unseen } = await claim(await listening.heard(2));
        expect([idsOf(found), unseen]).toEqual([[...later, ...early.ids], []]);
        expect(found?.messages[0]).toMatchObject({ payload: '{"n":2}', eventType: "order.placed", attempts: 0 });
        expect(found?.messages[0]?.order).toEqual(listening.notices[0]?.order);
        expect((await hand.settle(found!, PUBLISHED)).published).toEqual(idsOf(found));
        expect(await stage.table.row(later[0]!).then((row) => row === null)).toBe(mark === "delete");
      });

      test("takes no row that is published, dead, scheduled or waits for its retry", async () => {
        const { hand, listening, claim } = await start();
        const later = new Date(Date.now() + AN_HOUR_MS).toISOString();
        const [foreign, dead, waits, scheduled, due] = (await stage.table.insert(
          [{}, {}, {}, { availableAt: later }, {}].map((row, index) => ({ aggregateId: `a${index}`, ...row })),
        )) as [string, string, string, string, string];
        const notices = await listening.heard(5);
        await stage.table.publishByOther(foreign);
        const outcomes = [
          [dead, DEAD],
          [waits, failed(AN_HOUR_MS)],
        ] as const;
        for (const [id, outcome] of outcomes) {
          const { claim: one } = await claim(notices.filter((notice) => notice.id === id));
          await hand.settle(one!, outcome);
        }
        const { claim: found, unseen } = await claim(notices);
        expect([idsOf(found), unseen]).toEqual([[due], []]);
        expect(await stage.table.row(scheduled)).not.toBeNull();
        const states = await Promise.all([dead, waits, scheduled, due].map((id) => stage.outbox.read.message(id)));
        expect(states.map((message) => message?.row.state === "in_flight")).toEqual([false, false, false, true]);
        expect(await claim(notices.filter(({ id }) => id !== due))).toEqual({ claim: null, unseen: [] });
      });

      test("a commit that nobody can see yet is asked for again, and none is lost", async () => {
        const { listening, claim } = await start();
        const expected: string[] = [];
        const claimed: string[] = [];
        let waiting: readonly Notice[] = [];
        for (let round = 0; round < 25; round += 1) {
          const inserting = stage.table.insert([{ aggregateId: `a${round}` }]);
          const heard = await listening.heard(round + 1);
          const { claim: found, unseen } = await claim([...waiting, ...heard.slice(round)]);
          claimed.push(...idsOf(found));
          waiting = heard.filter(({ id }) => unseen.includes(id));
          expected.push(...(await inserting));
        }
        claimed.push(...idsOf((await claim(waiting)).claim));
        expect(claimed.sort()).toEqual(expected.sort());
      });

      test("lists what is still to be sent, for rows that the log was not read for", async () => {
        const hoursAgo = (hours: number) => new Date(Date.now() - hours * AN_HOUR_MS).toISOString();
        const scheduled = { createdAt: hoursAgo(2), availableAt: hoursAgo(1) };
        const ids = await stage.table.insert([{}, { aggregateId: "b", ...scheduled }, { aggregateId: "c" }]);
        const { hand } = await start();
        expect(hand.stream.schedules).toBe(true);
        const unsent = (limit: number, excludeAggregates: string[] = []) =>
          hand.stream.unsent({ limit, excludeAggregates });
        expect(await unsent(2)).toEqual([
          { id: ids[0], scheduled: false },
          { id: ids[1], scheduled: true },
        ]);
        const [first] = (await hand.claim()).messages;
        expect((await unsent(9, [first?.aggregateKey ?? ""])).map(({ id }) => id)).toEqual(ids.slice(1));
        await stage.table.publishByOther(ids[1]!);
        expect((await unsent(9)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
        expect(await claimIds(hand)).toEqual([ids[0], ids[2]]);
      });

      test("makes no claim once the term is over", async () => {
        const { hand, listening, claim } = await start();
        await stage.table.insert([{}]);
        const notices = await listening.heard(1);
        await dieFor(hand, stage.relay("next"));
        await expect(claim(notices)).rejects.toThrow(LeaseLostError);
      });

      test("a claim of the log is fenced and orphaned as any other", async () => {
        const { hand, listening, claim } = await start();
        const ids = await stage.table.insert([{}]);
        const { claim: found } = await claim(await listening.heard(1));
        const { orphaned } = await dieFor(hand, stage.relay("next"));
        expect(orphaned.map(({ id }) => id)).toEqual(ids);
        expect((await hand.settle(found!, PUBLISHED)).fenced).toEqual(ids);
      });
    },
  );

  describe.each(variants([byName("delete")], [byName("timestamp")]))(
    `${engine.kind} claiming what the log tells, without marks, with $name`,
    (layout) => {
      const { stage, reader, listen } = stageStreams(engine, layout);
      beforeEach(({ skip }) =>
        skip(engine.relaysUnmarked === false, `${BY_CAPABILITY} a relay of this engine needs marks in the table`),
      );

      const hear = async (rows: Parameters<typeof stage.table.insert>[0]) => {
        const hand = await reader("none");
        const listening = await listen(hand.stream);
        const ids = await stage.table.insert(rows);
        const notices = await listening.heard(rows.length);
        const claim = (some = notices) => hand.stream.claim({ lease: hand.lease, notices: some });
        const messages = notices.flatMap(({ message }) => message ?? []);
        return { hand, listening, ids, notices, messages, claim };
      };

      test("sends the row as it was inserted, also when it is gone, and never writes the table", async () => {
        const { hand, ids, claim } = await hear([{ payload: '{ "price": 1.10 }' }, { aggregateId: null }]);
        await stage.table.publishByOther(ids[1]!);
        const before = await stage.table.row(ids[0]!);
        const { claim: found } = await claim();
        expect(idsOf(found)).toEqual(ids);
        expect(found?.messages[0]).toMatchObject({ payload: '{ "price": 1.10 }', aggregateId: "a", attempts: 0 });
        expect((await hand.settle(found!, PUBLISHED)).published).toEqual(ids);
        expect(await stage.table.row(ids[0]!)).toEqual(before);
      });

      test("a failed message is tried again from what is kept of it", async () => {
        const { hand, ids, claim } = await hear([{ payload: '{ "n": 9007199254740993 }' }]);
        const { claim: found } = await claim();
        await hand.settle(found!, failed(0));
        await stage.table.publishByOther(ids[0]!);
        const retry = await claimRetries(hand);
        expect(retry?.messages).toEqual([{ ...found!.messages[0], attempts: 1, retried: true }]);
        expect((await claim()).claim).toBeNull();
        expect((await hand.settle(retry!, PUBLISHED)).published).toEqual(ids);
        expect(await claimRetries(hand)).toBeNull();
      });

      test("what is parked waits in the order of the log, and is claimed as it was, by the retry path alone", async () => {
        const { hand, ids, messages, claim } = await hear([{ payload: '{ "n": 1 }' }, {}, { aggregateId: "b" }]);
        await hand.stream.park({ lease: hand.lease, messages });
        await hand.stream.park({ lease: hand.lease, messages });
        expect((await claim()).claim).toBeNull();
        const retries = await hand.table.listRetries({ lease: hand.lease });
        const inOrder = [...retries].sort((left, right) => hand.table.compareOrder(left.order!, right.order!));
        expect(inOrder.map(({ id, attempts }) => [id, attempts])).toEqual(ids.map((id) => [id, 0]));
        const parked = (await claimRetries(hand))!;
        const byOrder = [...parked.messages].sort((left, right) => hand.table.compareOrder(left.order, right.order));
        expect(byOrder).toEqual(messages.map((message) => ({ ...message, retried: true })));
        expect((await hand.settle(parked, PUBLISHED)).published.sort()).toEqual([...ids].sort());
        expect(await claimRetries(hand)).toBeNull();
      });

      test("what has the id of a dead message is not parked in its place, and not lost", async () => {
        const { hand, ids, messages, claim } = await hear([{ payload: '{ "n": 1 }' }]);
        await hand.settle((await claim()).claim!, DEAD);
        const later = messages.map((message) => ({
          ...message,
          payload: '{ "n": 2 }',
          order: ["999999999", "1"] as const,
        }));
        expect(await hand.stream.park({ lease: hand.lease, messages: later })).toEqual([]);
        expect((await stage.outbox.read.message(ids[0]!))?.row.state).toBe("dead");
        expect(await hand.stream.park({ lease: hand.lease, messages })).toEqual(ids);
      });

      test("nothing is parked once the term is over, and what was is the next owner's", async () => {
        const { hand, ids, messages } = await hear([{}, { aggregateId: "b" }]);
        await hand.stream.park({ lease: hand.lease, messages: messages.slice(0, 1) });
        const next = stage.relay("next", { stream: { ...stage.database.stream, mark: "none" } });
        await dieFor(hand, next);
        const parking = hand.stream.park({ lease: hand.lease, messages: messages.slice(1) });
        await expect(parking).rejects.toThrow(LeaseLostError);
        expect((await next.table.listRetries({ lease: next.lease })).map(({ id }) => id)).toEqual(ids.slice(0, 1));
      });

      test("the place of a message in the log lies within its transaction", async () => {
        const { hand, listening, notices } = await hear([{}, {}]);
        const [first, second] = notices.map(({ order }) => hand.stream.positionOf(order)) as [string, string];
        expect(first <= second).toBe(true);
        expect(second <= (listening.commits.at(-1) ?? "")).toBe(true);
        expect(first > "").toBe(true);
      });
    },
  );
}
