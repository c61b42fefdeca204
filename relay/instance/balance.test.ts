import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PARTITIONS } from "#domain/relay/partitions.ts";
import { Balance, quotaOf } from "./balance.ts";

const view = (owned: Record<string, number>, members = Object.keys(owned)) => {
  const counts = new Map(Object.entries(owned));
  return { members, owned: counts, free: PARTITIONS - [...counts.values()].reduce((sum, count) => sum + count, 0) };
};

describe("the share of an instance", () => {
  test("alone it has all, though its own heartbeat is not there yet", () => {
    expect(quotaOf("a", view({}, []))).toBe(32);
    expect(new Balance("a").next(view({}, []))).toBe(32);
  });

  test("quotas add up to all, differ by at most one, and leave an even spread as it is", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 40 }), (ids) => {
        const owned = new Map(ids.map((id) => [id, quotaOf(id, { members: ids, owned: new Map() })]));
        const quotas = ids.map((id) => quotaOf(id, { members: ids, owned }));
        expect(quotas.reduce((sum, quota) => sum + quota, 0)).toBe(PARTITIONS);
        expect(Math.max(...quotas) - Math.min(...quotas)).toBeLessThanOrEqual(1);
        expect(quotas).toEqual(ids.map((id) => owned.get(id)));
      }),
    );
  });

  test("a live partition is given up once the newcomer was seen twice", () => {
    const balance = new Balance("a");
    expect(balance.next(view({ a: 32 }))).toBeNull();
    expect(balance.next(view({ a: 32, b: 0 }))).toBeNull();
    expect(balance.next(view({ a: 32, b: 0 }))).toBe(16);
    expect(new Balance("b").next(view({ a: 32, b: 0 }))).toBeNull();
    expect(new Balance("b").next(view({ a: 16, b: 0 }))).toBe(16);
  });

  test("what a dead instance held is taken as soon as it is free, and nothing is given up for it", () => {
    const balance = new Balance("a");
    expect(balance.next(view({ a: 11, b: 11, c: 10 }))).toBeNull();
    expect(balance.next(view({ a: 11, b: 11, c: 10 }, ["a", "b"]))).toBeNull();
    expect(balance.next(view({ a: 11, b: 11 }))).toBe(16);
  });

  test("one that does not take what is its to take is not waited for, until it takes something", () => {
    const balance = new Balance("a");
    const waits = view({ a: 16, old: 0 });
    for (let tick = 0; tick < 5; tick += 1) expect(balance.next(waits)).toBeNull();
    expect(balance.next(waits)).toBe(32);
    for (let tick = 0; tick < 9; tick += 1) expect(balance.next(view({ a: 32, old: 0 }))).toBeNull();
    balance.next(view({ a: 31, old: 1 }));
    expect(balance.next(view({ a: 31, old: 1 }))).toBe(16);
  });

  test("any start settles, whoever looks first", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { minLength: 1, maxLength: 9 }), fc.nat(3), (start, salt) => {
        const ids = start.map((_, index) => `r${(index * 7 + salt) % 11}-${index}`);
        const owned: Record<string, number> = {};
        let left = PARTITIONS;
        for (const [index, id] of ids.entries()) {
          owned[id] = Math.min(left, start[index] ?? 0);
          left -= owned[id];
        }
        const balances = new Map(ids.map((id) => [id, new Balance(id)]));
        for (let tick = 0; tick < 8; tick += 1) {
          for (const id of ids) {
            const now = view(owned);
            const most = balances.get(id)?.next(now) ?? null;
            if (most !== null) owned[id] = Math.min(most, (owned[id] ?? 0) + now.free);
          }
        }
        expect(view(owned).free).toBe(0);
        const counts = Object.values(owned);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        for (const id of ids) expect(balances.get(id)?.next(view(owned))).toBeNull();
      }),
    );
  });
});
