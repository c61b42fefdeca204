import { describe, expect, it } from "vitest";
import { sampleMessage } from "#components/messages/table/sample-message.fixture.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { changeTail, countOf, EMPTY_TAIL, MOST_KEPT, rateOf, type TailReading, type TailState } from "./tail-state.ts";

const at = (second: number) =>
  `2026-11-21T03:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000000Z`;
const message = (n: number, fields: Partial<MessageSummary> = {}) =>
  sampleMessage({ id: `m-${n}`, createdAt: at(n), ...fields });
/** Messages `from` down to `to`, read a moment after the newest. */
const reading = (from: number, to: number, more: Partial<TailReading> = {}): TailReading => ({
  messages: Array.from({ length: from - to + 1 }, (_, n) => message(from - n)),
  gap: null,
  whole: false,
  skips: false,
  asOf: at(from),
  ...more,
});
const read = (state: TailState, next: TailReading) => changeTail(state, { type: "read", reading: next });
const ids = (entries: TailState["shown"]) =>
  entries.map((entry) => (entry.kind === "gap" ? `${entry.skipped} skipped` : entry.message.id));

describe("the live tail", () => {
  it("puts what is new on top, once, and changes rows in place", () => {
    const first = read(EMPTY_TAIL, reading(3, 1));
    const published = reading(5, 2);
    const next = read(first, {
      ...published,
      messages: published.messages.map((one) => (one.id === "m-2" ? { ...one, state: "published" } : one)),
    });
    expect(ids(next.shown)).toEqual(["m-5", "m-4", "m-3", "m-2", "m-1"]);
    expect(next.shown[3]).toMatchObject({ message: { state: "published" } });
    expect(next.shown.map((entry) => entry.kind === "message" && entry.fresh)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(ids(read(next, published).shown)).toHaveLength(5);
  });

  it("says of a row when it was read last, and that it left", () => {
    const first = read(EMPTY_TAIL, reading(4, 1));
    const next = read(first, { ...reading(5, 3), messages: [message(5), message(3)] });
    expect(next.shown.map((entry) => entry.kind === "message" && [entry.message.id, entry.gone, entry.readAt])).toEqual(
      [
        ["m-5", false, null],
        ["m-4", true, at(4)],
        ["m-3", false, null],
        ["m-2", false, at(4)],
        ["m-1", false, at(4)],
      ],
    );
    expect(read(next, { ...reading(5, 3), messages: [message(5), message(3)] }).shown.slice(1)).toEqual(
      next.shown.slice(1),
    );
    const whole = read(first, { ...reading(5, 5), whole: true });
    expect(whole.shown.filter((entry) => entry.kind === "message" && entry.gone)).toHaveLength(4);
    const unsure = read(first, { ...reading(5, 5), skips: true });
    expect(unsure.shown.filter((entry) => entry.kind === "message" && entry.gone)).toEqual([]);
  });

  it("shows a gap where it skipped messages", () => {
    const gap = { skipped: 512, from: at(3), to: at(600) };
    const next = read(read(EMPTY_TAIL, reading(3, 1)), reading(601, 600, { gap }));
    expect(ids(next.shown)).toEqual(["m-601", "m-600", "512 skipped", "m-3", "m-2", "m-1"]);
  });

  it("holds what arrives while it is paused, and counts it", () => {
    const paused = changeTail(read(EMPTY_TAIL, reading(3, 1)), { type: "pause", at: at(3), why: "by you" });
    const next = read(read(paused, reading(5, 2)), reading(9, 4, { gap: null }));
    expect(ids(next.shown)).toEqual(["m-3", "m-2", "m-1"]);
    expect(countOf(next.held)).toBe(6);
    expect(ids(changeTail(next, { type: "go on" }).shown)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `m-${n}`));
  });

  it("keeps the newest of a long pause, and the number of the others", () => {
    let state = changeTail(read(EMPTY_TAIL, reading(3, 1)), { type: "pause", at: at(3), why: "by you" });
    for (let n = 4; n <= 1_003; n += 100) state = read(state, reading(n + 99, n));
    expect(countOf(state.held)).toBe(1_000);
    const on = changeTail(state, { type: "go on" });
    expect(on.shown).toHaveLength(MOST_KEPT);
    expect(ids(on.shown).slice(-1)).toEqual(["501 skipped"]);
  });

  it("measures a rate over at least ten seconds, with what it skipped", () => {
    let state = read(EMPTY_TAIL, reading(3, 1));
    for (const n of [5, 10, 15]) state = read(state, reading(n, n - 4));
    expect(rateOf(state)).toBe(1);
    expect(rateOf(read(state, reading(17, 16, { gap: { skipped: null, from: undefined, to: undefined } })))).toBeNull();
  });
});
