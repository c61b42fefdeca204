import { beforeEach, describe, expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { Withheld } from "../../state/withheld.ts";
import { Exclusions } from "./exclusions.ts";

const AGGREGATES = 200_000;
const at = (n: number): OrderKey => [String(n), String(n)];
const MARK = { after: at(1_000_000), ahead: false };
const AHEAD = { after: at(1_000_000), ahead: true };
/** A page of messages of withheld aggregates. */
const page = Array.from({ length: 1000 }, (_, n) => makeMessage(n, { aggregateId: String(n) }));

describe("aggregates that a read is told to leave out", () => {
  let withheld: Withheld;
  let exclusions: Exclusions;
  beforeEach(() => {
    withheld = new Withheld(
      (left, right) => Number(left[0]) - Number(right[0]),
      () => at(0),
    );
    for (let n = 0; n < AGGREGATES; n += 1) withheld.withhold(`order/${n}`, "route", at(n));
    exclusions = new Exclusions(withheld);
  });

  test("are all, once that costs less than what was met in vain; and no longer than that", () => {
    for (let read = 0; read < 2; read += 1) {
      expect(exclusions.above(MARK)).toHaveLength(0);
      exclusions.noteRead(MARK, page, 0);
    }
    exclusions.noteRead(MARK, page.slice(0, 1), 0);
    expect(exclusions.above(MARK)).toHaveLength(AGGREGATES);
    exclusions.noteRead(MARK, [], AGGREGATES);
    expect(exclusions.above(MARK)).toHaveLength(0);
    for (let read = 0; read < 3; read += 1) exclusions.noteRead(MARK, page, 0);
    exclusions.noteRead(MARK, [], 0);
    expect(exclusions.above(MARK)).toHaveLength(0);
  });

  test("are not all for a read ahead because reads from the watermark met too many, nor for what was met for the first time", () => {
    for (let read = 0; read < 5; read += 1) exclusions.noteRead(MARK, page, 0);
    expect(exclusions.above(AHEAD)).toHaveLength(0);
    const unknown = Array.from({ length: 1000 }, (_, n) => makeMessage(n, { aggregateId: `new-${n}` }));
    for (let read = 0; read < 5; read += 1) exclusions.noteRead(AHEAD, unknown, 0);
    expect(exclusions.above(AHEAD)).toHaveLength(0);
    for (let read = 0; read < 3; read += 1) exclusions.noteRead(AHEAD, page, 0);
    expect(exclusions.above(AHEAD)).toHaveLength(AGGREGATES);
  });
});
