import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { type ClaimedMessage, Lanes } from "./lanes.ts";

const message = (n: number, aggregateId: string | null = "a") => makeMessage(n, { aggregateId });

describe("lanes", () => {
  test("give one message of an aggregate at a time, and others meanwhile", () => {
    const lanes = new Lanes(compareOrder);
    for (const [n, key] of [
      [1, "a"],
      [2, "a"],
      [3, "b"],
      [4, null],
      [5, null],
    ] as const)
      lanes.add(message(n, key), "t", false);
    const first = lanes.take(10, false);
    expect(first.map(({ message: { order } }) => order[0])).toEqual(["1", "3", "4", "5"]);
    expect(lanes.take(10, false)).toEqual([]);
    lanes.finish(first[0]!);
    expect(lanes.take(10, false).map(({ message: { order } }) => order[0])).toEqual(["2"]);
  });

  test("tell the ids from a place on as a look at each message does", () => {
    const place = fc.integer({ min: 0, max: 6 });
    const step = fc.oneof(
      place.map((add) => ({ add })),
      fc.nat().map((drop) => ({ drop })),
      place.map((from) => ({ from })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const lanes = new Lanes(compareOrder);
        const claimed: ClaimedMessage[] = [];
        for (const [n, one] of steps.entries()) {
          if ("add" in one) claimed.push(lanes.add({ ...message(one.add, null), id: `m${n}` }, `t${n % 3}`, false));
          else if ("drop" in one)
            for (const gone of claimed.splice(one.drop % (claimed.length || 1), 1)) lanes.release(gone);
          else {
            const from: OrderKey = [String(one.from), ""];
            const ids = claimed
              .filter((other) => compareOrder(other.message.order, from) >= 0)
              .map((other) => other.message.id);
            expect(lanes.ids(from)).toEqual(ids);
          }
          expect([...lanes.tokens()].sort()).toEqual([...new Set(claimed.map(({ token }) => token))].sort());
          expect(lanes.endedTokens(claimed).sort()).toEqual([...lanes.tokens()].sort());
        }
      }),
    );
  });

  test("begin nothing of an aggregate until the death of its message is written", () => {
    const lanes = new Lanes(compareOrder);
    const [first] = [1, 2].map((n) => lanes.add(message(n), "t", false));
    const [dead] = lanes.take(1, false);
    lanes.finish(dead!);
    lanes.noteDead(dead!);
    lanes.add(message(3), "t", false);
    lanes.add(message(4, "b"), "t", false);
    expect(lanes.take(10, false).map(({ message: { order } }) => order[0])).toEqual(["4"]);
    lanes.release(first!);
    expect(lanes.take(10, false).map(({ message: { order } }) => order[0])).toEqual(["2"]);
  });

  test("give a run of an aggregate to sinks that keep the order of a batch", () => {
    const lanes = new Lanes(compareOrder);
    for (let n = 0; n < 5; n += 1) lanes.add(message(n), "t", false);
    const run = lanes.take(3, true);
    expect(run).toHaveLength(3);
    for (const claimed of run.slice(0, 2)) lanes.finish(claimed);
    expect(lanes.hasReady).toBe(false);
    lanes.finish(run[2]!);
    expect(lanes.take(10, true)).toHaveLength(2);
  });

  test("give every aggregate that is ready its share of a call before one of them gets a longer run", () => {
    const lanes = new Lanes(compareOrder);
    for (let n = 0; n < 100; n += 1) lanes.add(message(n, "hot"), "t", false);
    for (let n = 100; n < 104; n += 1) lanes.add(message(n, `a${n}`), "t", false);
    const places = lanes.take(10, true).map(({ message: { order } }) => Number(order[0]));
    expect(places).toEqual([0, 1, 100, 101, 102, 103]);
  });

  test("give new messages their turn before retried ones, which get every fourth", () => {
    const lanes = new Lanes(compareOrder);
    for (let n = 0; n < 100; n += 1) lanes.add(message(n, `r${n}`), "t", true);
    for (let n = 100; n < 106; n += 1) lanes.add(message(n, `a${n}`), "t", false);
    const places = lanes.take(9, false).map(({ message: { order } }) => Number(order[0]));
    expect(places).toEqual([100, 101, 102, 0, 103, 104, 105, 1, 2]);
    expect(lanes.queuedRetried).toBe(97);
  });

  test("put a late row before those of its aggregate that wait", () => {
    const lanes = new Lanes(compareOrder);
    for (const n of [5, 7, 6]) lanes.add(message(n), "t", false);
    expect(lanes.take(10, true).map(({ message: { order } }) => order[0])).toEqual(["5", "6", "7"]);
  });

  test("know when a claim is at its end", () => {
    const lanes = new Lanes(compareOrder);
    const claimed = [
      lanes.add(message(1, "a"), "t", false),
      lanes.add(message(2, "b"), "t", false),
      lanes.add(message(3, "c"), "u", false),
    ];
    expect(lanes.endedTokens([claimed[0]!])).toEqual([]);
    expect(lanes.endedTokens(claimed)).toEqual(["t", "u"]);
    lanes.release(claimed[0]!);
    expect(lanes.endedTokens([claimed[1]!])).toEqual(["t"]);
    expect(lanes.tokens()).toEqual(["t", "u"]);
  });

  test("an older message that is settled late does not take the newer lane of its aggregate away", () => {
    const lanes = new Lanes(compareOrder);
    const first = lanes.add(message(1), "t", false);
    const second = lanes.add(message(2), "t", false);
    lanes.take(10, true);
    lanes.finish(first);
    lanes.finish(second);
    lanes.release(first);
    lanes.add(message(3), "t", false);
    expect(lanes.take(1, false)).toHaveLength(1);
    lanes.release(second);
    lanes.add(message(4), "t", false);
    expect(lanes.take(1, false)).toEqual([]);
  });

  test("a lane begins nothing while a message of it is on its way back to the table", () => {
    const lanes = new Lanes(compareOrder);
    lanes.add(message(1), "t", false);
    const [first] = lanes.take(1, false);
    lanes.finish(first!);
    lanes.giveBack(first!);
    lanes.add(message(2), "u", false);
    expect(lanes.take(1, false)).toEqual([]);
    lanes.release(first!);
    expect(lanes.take(1, false)).toHaveLength(1);
  });

  test("whatever happens, no aggregate has two runs under way and nothing is counted twice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("add", "take", "finish", "release"), fc.nat(3)), { maxLength: 80 }),
        (steps) => {
          const lanes = new Lanes(compareOrder);
          const flying: ReturnType<Lanes["take"]> = [];
          const done: ReturnType<Lanes["take"]> = [];
          let n = 0;
          let alive = 0;
          for (const [step, choice] of steps) {
            if (step === "add") {
              lanes.add(message(n++, `a${choice}`), "t", false);
              alive += 1;
            } else if (step === "take") {
              flying.push(...lanes.take(1 + choice, false));
            } else if (step === "finish" && flying.length > 0) {
              const [claimed] = flying.splice(choice % flying.length, 1);
              lanes.finish(claimed!);
              done.push(claimed!);
            } else if (step === "release" && done.length > 0) {
              const [claimed] = done.splice(choice % done.length, 1);
              lanes.release(claimed!);
              alive -= 1;
            }
            const keys = flying.map(({ lane }) => lane.key);
            expect(new Set(keys).size).toBe(keys.length);
            expect(lanes.size).toBe(alive);
            expect(lanes.queued).toBe(alive - flying.length - done.length);
          }
        },
      ),
      { seed: 20260301 },
    );
  });
});
