import { expect, test } from "vitest";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import { Acknowledgements } from "./acknowledgements.ts";

const notice = (id: string, commitLsn: bigint): Notice => ({
  id,
  aggregateKey: null,
  order: [String(commitLsn), "1"],
  transaction: { xid: 1, committedAtMs: 0, commitLsn },
  message: null,
  bytes: 1,
});

test("confirms up to the first transaction of which something is open", () => {
  const acks = new Acknowledgements();
  for (const [id, lsn] of [
    ["a", 10n],
    ["b", 20n],
    ["c", 30n],
  ] as const) {
    acks.begin(notice(id, lsn));
    acks.commit(lsn + 1n);
  }
  acks.done("b");
  expect(acks.confirmed).toBe(0n);
  acks.done("a");
  expect(acks.confirmed).toBe(21n);
  acks.position(99n);
  expect(acks.confirmed).toBe(21n);
  acks.done("c");
  expect(acks.confirmed).toBe(31n);
  acks.position(99n);
  expect(acks.confirmed).toBe(99n);
});

test("a transaction whose end was not read yet confirms nothing, whatever is done of it", () => {
  const acks = new Acknowledgements();
  acks.begin(notice("a", 10n));
  acks.done("a");
  acks.position(50n);
  expect(acks.confirmed).toBe(0n);
  acks.commit(11n);
  expect(acks.confirmed).toBe(11n);
});

test("transactions that told nothing of ours pass", () => {
  const acks = new Acknowledgements();
  acks.begin(notice("a", 10n));
  acks.commit(11n);
  acks.commit(21n);
  expect(acks.confirmed).toBe(0n);
  acks.done("a");
  expect(acks.confirmed).toBe(21n);
});

test("what was settled and not confirmed is known when it is told again", () => {
  const acks = new Acknowledgements();
  acks.begin(notice("a", 10n));
  acks.begin(notice("b", 10n));
  acks.commit(11n);
  acks.remember("a", 10n);
  acks.done("a");
  acks.reset();
  expect(acks.wasSettled(notice("a", 10n))).toBe(true);
  expect(acks.wasSettled(notice("b", 10n))).toBe(false);
  acks.begin(notice("b", 10n));
  acks.commit(11n);
  acks.done("b");
  expect(acks.confirmed).toBe(11n);
  expect(acks.wasSettled(notice("a", 10n))).toBe(false);
});
