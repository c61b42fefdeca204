import { describe, expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { Retries } from "./retries.ts";
import { Withheld } from "./withheld.ts";

const at = (n: number): OrderKey => [String(n), String(n)];

describe("withheld aggregates", () => {
  test("are read again from the first message that was left in the table", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", at(7));
    withheld.note("a", at(5));
    withheld.note("a", at(9));
    withheld.note("b", at(1));
    expect(withheld.keys()).toEqual(["a"]);
    expect(withheld.free("a", "blocked")).toEqual({ from: at(5) });
    expect(withheld.keys()).toEqual([]);
  });

  test("are read again from where reads left them out, also when what held them back comes later", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", at(20));
    expect(withheld.free("a", "blocked")).toEqual({ from: at(8) });
    const fromStart = new Withheld(compareOrder, () => null);
    fromStart.block("a", at(20));
    expect(fromStart.free("a", "blocked")).toEqual({ from: null });
  });

  test("are read again from where rows may still have been committed when their head failed", () => {
    // A slow transaction that has its place at 16 commits while the aggregate waits for its head, at 20.
    const blocked = (closed: OrderKey | null) => {
      const withheld = new Withheld(
        compareOrder,
        () => at(30),
        () => closed,
      );
      withheld.block("a", at(20), true);
      return withheld.free("a", "blocked");
    };
    expect(blocked(at(15))).toEqual({ from: at(15) });
    expect(blocked(at(25))).toEqual({ from: at(20) });
    expect(blocked(null)).toEqual({ from: null });
  });

  test("are read again from where rows may still have been committed when a hold began during a backlog", () => {
    // A backlog was read up to 30; a slow transaction that has its place at 16 commits while the aggregate is held.
    const held = (closed: OrderKey | null, first: OrderKey | null, crowded = false) => {
      const withheld = new Withheld(
        compareOrder,
        () => at(30),
        () => closed,
      );
      if (crowded) withheld.crowd("a", at(25));
      withheld.withhold("a", "paused", first);
      expect(withheld.leftFrom("a")).toEqual(closed);
      if (crowded) withheld.free("a", "crowded");
      return withheld.free("a", "paused");
    };
    expect(held(at(15), at(20))).toEqual({ from: at(15) });
    expect(held(at(15), null)).toEqual({ from: at(15) });
    expect(held(at(15), at(20), true)).toEqual({ from: at(15) });
    expect(held(null, at(20))).toEqual({ from: null });
  });

  test("are followed from there when they were only crowded", () => {
    const crowded = (follows: boolean) => {
      const withheld = new Withheld(
        compareOrder,
        () => at(30),
        () => at(15),
        follows,
      );
      withheld.crowd("a", at(40));
      return withheld.free("a", "crowded");
    };
    expect(crowded(true)).toEqual({ from: at(15) });
    expect(crowded(false)).toEqual({ from: at(30) });
  });

  test("are read again from their head once nothing was found before it, or from what was", () => {
    let closed: OrderKey | null = null;
    const withheld = new Withheld(
      compareOrder,
      () => null,
      () => closed,
    );
    for (const key of ["a", "b", "c", "again"]) withheld.block(key, at(20), true);
    const heads = withheld.unproven();
    withheld.free("again", "blocked");
    withheld.block("again", at(20), true);
    withheld.note("b", at(12));
    closed = at(15);
    withheld.block("later", at(20), true);
    const [a, b] = [heads.get("a"), heads.get("b")];
    if (a) withheld.prove("a", a, at(25));
    if (b) withheld.prove("b", b, at(25));
    for (const [key, head] of heads) withheld.prove(key, head, at(15));
    const from = (key: string) => withheld.free(key, "blocked")?.from;
    expect(["a", "b", "c", "later"].map(from)).toEqual([at(20), at(12), at(15), at(15)]);
    expect(withheld.hasUnproven).toBe(true);
    expect([from("again"), withheld.hasUnproven]).toEqual([null, false]);
  });

  test("are not read again from the place of a message that an operator retried long after it was read", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", at(1));
    expect(withheld.free("a", "blocked")).toEqual({ from: at(8) });
  });

  test("stay away while either reason holds", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", null);
    withheld.crowd("a", at(3));
    expect(withheld.free("a", "blocked")).toBeNull();
    expect(withheld.has("a")).toBe(true);
    expect(withheld.free("a", "crowded")).toEqual({ from: at(3) });
  });
});

describe("retries", () => {
  const entry = (id: string, aggregateKey: string, n: number, dueInMs = 0) => ({
    id,
    aggregateKey,
    order: at(n),
    eventType: null,
    attempts: 1,
    dueInMs,
  });

  test("know the heads of their aggregates and when the next is due", () => {
    const retries = new Retries();
    retries.replace([entry("x", "a", 2, 500), entry("y", "a", 1, 900), entry("z", "b", 3, 700)], 1000, () => false);
    expect(retries.notHeads(compareOrder)).toEqual(["x"]);
    expect(retries.dueInMs(1000, () => false)).toBe(500);
    expect(retries.dueInMs(1500, (id) => id === "x")).toBe(200);
    retries.remove("x");
    retries.remove("y");
    expect(retries.blocks("a")).toBe(false);
    expect(retries.blocks("b")).toBe(true);
  });

  test("what is in memory is newer than any list", () => {
    const retries = new Retries();
    retries.replace([entry("x", "a", 1), entry("y", "b", 2)], 0, () => false);
    expect(retries.replace([], 0, (id) => id === "x").map(({ id }) => id)).toEqual(["y"]);
    expect(retries.has("x")).toBe(true);
  });
});

describe("thousands of withheld aggregates", () => {
  test("reads are told of those that crowd and of those met last, from where they begin", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.crowd("crowded", null);
    for (let n = 0; n < 1000; n += 1) withheld.block(`b${n}`, [String(n), "x"]);
    withheld.note("b3", ["5000", "y"]);
    expect(withheld.keysAbove(null, 3)).toHaveLength(1001);
    expect(withheld.keysAbove(at(900), 5000)).toHaveLength(102);
    expect(withheld.keysAbove(at(900), 3).sort()).toEqual(["b3", "b998", "b999", "crowded"]);
    expect(withheld.keysAbove(at(6000), 3)).toEqual(["crowded"]);
  });

  test("one that is freed while a read is under way is known until the next: what the read brings may not be its first", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", at(1));
    withheld.beginRead();
    withheld.free("a", "blocked");
    expect(withheld.stops("a")).toBe(false);
    expect(withheld.wasFreed("a")).toBe(true);
    withheld.beginRead();
    expect(withheld.wasFreed("a")).toBe(false);
  });

  test("one that is held for two reasons is free when neither is left, from its first message on", () => {
    const withheld = new Withheld(compareOrder, () => at(8));
    withheld.block("a", ["7", "x"]);
    withheld.withhold("a", "paused", null);
    withheld.note("a", ["5", "y"]);
    expect(withheld.free("a", "blocked")).toBeNull();
    expect(withheld.stops("a")).toBe(true);
    expect(withheld.free("a", "paused")).toEqual({ from: ["5", "y"] });
    expect(withheld.stops("a")).toBe(false);
  });
});
