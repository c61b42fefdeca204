import { describe, expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { horizonOf } from "../../testing/horizon.fixture.ts";
import { Watermark } from "./watermark.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const read = (
  watermark: Watermark,
  input: { reached: number | null; xmin: number; xmax: number; nowMs: number; more?: boolean; aged?: boolean },
) =>
  watermark.noteRead({
    begun: watermark.begin(),
    reached: input.reached === null ? null : at(input.reached),
    more: input.more ?? false,
    horizon: horizonOf(input.xmin, input.xmax),
    aged: input.aged ?? false,
    nowMs: input.nowMs,
  });

describe("the low-water watermark", () => {
  test("passes a value once everything open at its reading has ended, and two seconds have gone", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0 });
    read(watermark, { reached: null, xmin: 8, xmax: 9, nowMs: 1000 });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: null, xmin: 7, xmax: 9, nowMs: 3000 });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: null, xmin: 8, xmax: 9, nowMs: 3001 });
    expect(watermark.position).toEqual(at(10));
  });

  test("does not wait where the rows were old when they were read", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, aged: true });
    read(watermark, { reached: 20, xmin: 8, xmax: 9, nowMs: 1, aged: true });
    expect(watermark.position).toEqual(at(10));
  });

  test("reads a backlog on since the read that began at it, and not since one that was cut off before", () => {
    const watermark = new Watermark(compareOrder);
    const page = (again: boolean, reached: number, xmin: number) => {
      const begun = watermark.begin(null, again);
      const horizon = horizonOf(xmin, xmin);
      watermark.noteRead({ begun, reached: at(reached), more: true, horizon, aged: true, nowMs: 0 });
      return horizon;
    };
    const first = page(false, 10, 5);
    page(false, 20, 6);
    expect(watermark.begin()).toMatchObject({ after: at(20), ahead: true, since: first });
    page(true, 15, 7);
    expect(watermark.begin()).toMatchObject({ after: at(20), ahead: true, since: first });
    const again = page(true, 25, 8);
    expect(watermark.begin()).toMatchObject({ after: at(25), ahead: true, since: again });
  });

  test("is where reads begin for a second, once nothing could be read on", () => {
    const watermark = new Watermark(compareOrder);
    const page = (reached: number | null, nowMs: number) =>
      watermark.noteRead({
        ...{ begun: watermark.begin(), reached: reached === null ? null : at(reached), more: true, aged: true, nowMs },
        horizon: horizonOf(1, 9),
      });
    page(10, 0);
    page(null, 1);
    page(20, 2);
    expect(watermark.begin().ahead).toBe(false);
    page(30, 1001);
    expect(watermark.begin().ahead).toBe(true);
  });

  test("does not pass what a full page did not reach", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0 });
    read(watermark, { reached: 9, xmin: 8, xmax: 9, nowMs: 3000, more: true });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: 10, xmin: 8, xmax: 9, nowMs: 3001, more: true });
    expect(watermark.position).toEqual(at(10));
  });

  test("goes back for rows that were left out, and ignores reads that were under way", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, aged: true });
    const begun = watermark.begin();
    watermark.rewind(at(4));
    watermark.noteRead({ begun, reached: at(20), more: false, horizon: horizonOf(9, 9), aged: true, nowMs: 5000 });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: 10, xmin: 9, xmax: 9, nowMs: 5001, aged: true });
    read(watermark, { reached: 12, xmin: 9, xmax: 9, nowMs: 5002, aged: true });
    expect(watermark.position).toEqual(at(10));
    watermark.rewind(at(11));
    expect(watermark.position).toEqual(at(10));
    watermark.rewind(at(3));
    expect(watermark.position).toEqual(at(3));
    watermark.reset();
    expect(watermark.position).toBeNull();
  });

  test("goes on where rows are read again all the time, by reads that begin after each", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0 });
    read(watermark, { reached: 11, xmin: 9, xmax: 9, nowMs: 1000 });
    watermark.rewind(at(1));
    const begun = watermark.begin();
    watermark.rewind(at(2));
    watermark.noteRead({ begun, reached: at(12), more: false, horizon: horizonOf(9, 9), aged: false, nowMs: 3000 });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: 12, xmin: 9, xmax: 9, nowMs: 3001 });
    expect(watermark.position).toEqual(at(11));
  });

  test("goes back to the start, and is where it was once everything was read again", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, aged: true });
    read(watermark, { reached: 20, xmin: 8, xmax: 9, nowMs: 1, aged: true });
    watermark.rewind(null);
    expect([watermark.position, watermark.readFrom]).toEqual([null, null]);
    read(watermark, { reached: 20, xmin: 9, xmax: 9, nowMs: 2, aged: true });
    expect(watermark.position).toEqual(at(20));
  });

  test("a backlog is read on from where a full page of old rows ended, until a page is not full", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, more: true, aged: true });
    expect(watermark.begin()).toMatchObject({ after: at(10), ahead: true });
    expect(watermark.begin(at(1))).toMatchObject({ after: at(1), ahead: false });
    expect(watermark.begin(null, true)).toMatchObject({ after: null, ahead: false });
    read(watermark, { reached: 20, xmin: 8, xmax: 9, nowMs: 1, more: true, aged: true });
    expect(watermark.position).toBeNull();
    read(watermark, { reached: 30, xmin: 9, xmax: 9, nowMs: 2, aged: true });
    expect(watermark.begin()).toMatchObject({ after: null, ahead: false });
    read(watermark, { reached: null, xmin: 9, xmax: 9, nowMs: 3 });
    expect(watermark.position).toEqual(at(30));
  });

  test("rows that somebody may still be writing beside are not read past", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, more: true });
    expect(watermark.begin()).toMatchObject({ after: null, ahead: false });
  });

  test("what must be read again below is not read past", () => {
    const watermark = new Watermark(compareOrder);
    read(watermark, { reached: 10, xmin: 5, xmax: 8, nowMs: 0, more: true, aged: true });
    watermark.rewind(at(11));
    expect(watermark.begin()).toMatchObject({ after: at(10) });
    watermark.rewind(at(4));
    expect(watermark.begin()).toMatchObject({ after: null, ahead: false });
  });
});
