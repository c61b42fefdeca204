import { describe, expect, test } from "vitest";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import { Acknowledgements } from "./acknowledgements.ts";

const notice = (id: string, position: string): Notice => ({
  id,
  aggregateKey: null,
  order: [position, "1"],
  transaction: { committedAtMs: 0, position },
  message: null,
  bytes: 1,
});

test("confirms up to the first transaction of which something is open", () => {
  const acks = new Acknowledgements(false);
  for (const [id, position, end] of [
    ["a", "10", "11"],
    ["b", "20", "21"],
    ["c", "30", "31"],
  ] as const) {
    acks.begin(notice(id, position));
    acks.commit(end);
  }
  acks.done("b");
  expect(acks.confirmed).toBe("");
  acks.done("a");
  expect(acks.confirmed).toBe("21");
  acks.position("99");
  expect(acks.confirmed).toBe("21");
  acks.done("c");
  expect(acks.confirmed).toBe("31");
  acks.position("99");
  expect(acks.confirmed).toBe("99");
});

test("a transaction whose end was not read yet confirms nothing, whatever is done of it", () => {
  const acks = new Acknowledgements(false);
  acks.begin(notice("a", "10"));
  acks.done("a");
  acks.position("50");
  expect(acks.confirmed).toBe("");
  acks.commit("11");
  expect(acks.confirmed).toBe("11");
});

test("transactions that told nothing of ours pass", () => {
  const acks = new Acknowledgements(false);
  acks.begin(notice("a", "10"));
  acks.commit("11");
  acks.commit("21");
  expect(acks.confirmed).toBe("");
  acks.done("a");
  expect(acks.confirmed).toBe("21");
});

test("what was confirmed while there was no connection is known when the next one tells it again", () => {
  const acks = new Acknowledgements(false);
  acks.begin(notice("a", "10"));
  acks.commit("11");
  acks.remember("a", "10");
  acks.done("a");
  acks.reset();
  expect(acks.confirmed).toBe("11");
  expect(acks.wasSettled(notice("a", "10"))).toBe(true);
  acks.passedOn();
  expect(acks.wasSettled(notice("a", "10"))).toBe(false);
});

test("what was settled and not confirmed is known when it is told again", () => {
  const acks = new Acknowledgements(false);
  acks.begin(notice("a", "10"));
  acks.begin(notice("b", "10"));
  acks.commit("11");
  acks.remember("a", "10");
  acks.done("a");
  acks.reset();
  expect(acks.wasSettled(notice("a", "10"))).toBe(true);
  expect(acks.wasSettled(notice("b", "10"))).toBe(false);
  acks.begin(notice("b", "10"));
  acks.commit("11");
  acks.done("b");
  expect(acks.confirmed).toBe("11");
  acks.passedOn();
  expect(acks.wasSettled(notice("a", "10"))).toBe(false);
});

describe("a row in the place of another one of its key", () => {
  const first = notice("a", "10");
  const second = { ...notice("a", "20"), order: ["20", "1"] as const };
  const received = (alone: boolean) => {
    const acks = new Acknowledgements(alone);
    const begun = [first, second].map((one, place) => {
      const began = acks.begin(one);
      acks.commit(`${place + 1}1`);
      return began;
    });
    return { acks, begun };
  };

  test("is the same message where the table keeps it", () => {
    const { acks, begun } = received(false);
    expect(begun).toEqual([true, false]);
    acks.done("a");
    expect(acks.confirmed).toBe("21");
  });

  test("is a message of its own without a table, and confirmed by itself", () => {
    const { acks, begun } = received(true);
    expect(begun).toEqual([true, true]);
    acks.done("a", second.order);
    expect(acks.confirmed).toBe("");
    expect(acks.noticeOf("a")).toBe(first);
    acks.done("a", first.order);
    expect(acks.confirmed).toBe("21");
    expect(acks.size).toBe(0);
  });
});
