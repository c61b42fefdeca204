import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { horizonOf } from "../../../testing/horizon.fixture.ts";
import { Watermark } from "../../state/watermark.ts";
import { DeadRowSkip } from "./dead-row-skip.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const upTo = (n: number, xid = 9): Skipped => ({
  reached: at(n),
  horizon: horizonOf(xid, xid),
  ageMs: 60_000,
  closed: true,
});

describe("the skip of rows that are kept deadRows", () => {
  let watermark: Watermark;
  let asked: number;
  let answer: () => Promise<Skipped | null>;
  let deadRows: DeadRowSkip;

  beforeEach(() => {
    watermark = new Watermark(compareOrder);
    asked = 0;
    const skipDeadRows = () => {
      asked += 1;
      return answer();
    };
    deadRows = new DeadRowSkip({ table: { compareOrder, skipDeadRows }, log: pino({ level: "silent" }) }, watermark);
  });

  test("has the next read begin behind them, and the watermark pass them when it sees them again", async () => {
    answer = async () => upTo(50);
    expect(await deadRows.skip(watermark.begin(), false)).not.toBeNull();
    expect(watermark.readFrom).toEqual(at(50));
    expect(watermark.position).toBeNull();
    expect(await deadRows.skip(watermark.begin(null, true), false)).not.toBeNull();
    expect(watermark.position).toEqual(at(50));
    expect(await deadRows.skip(watermark.begin(null, true), false)).toBeNull();
    expect(asked).toBe(2);
  });

  test("leads a backlog's look back to what was committed late among them", async () => {
    answer = async () => upTo(50);
    await deadRows.skip(watermark.begin(), false);
    const [begun, horizon] = [watermark.begin(), horizonOf(1, 9)];
    watermark.noteRead({ begun, reached: at(90), more: true, horizon, aged: true, nowMs: performance.now() });
    expect(watermark.readFrom).toEqual(at(90));
    answer = async () => upTo(4);
    expect(await deadRows.skip(watermark.begin(null, true), false)).not.toBeNull();
    expect(watermark.readFrom).toEqual(at(4));
  });

  test("gives way to a read when rows went back meanwhile, so that those who go back all the time stop nothing", async () => {
    answer = async () => {
      watermark.rewind(at(70));
      return upTo(50);
    };
    expect(await deadRows.skip(watermark.begin(), false)).toBeNull();
    expect(watermark.readFrom).toBeNull();
  });

  test("gives way to a read when the database does not finish it, and is not tried again at once", async () => {
    answer = () => Promise.reject(Object.assign(new Error("canceled"), { code: "57014" }));
    expect(await deadRows.skip(watermark.begin(), false)).toBeNull();
    expect(await deadRows.skip(watermark.begin(), false)).toBeNull();
    expect(asked).toBe(1);
  });

  test("says of a connection that was lost what reads say", async () => {
    answer = () => Promise.reject(new StoreError("unreachable", "unavailable", "reset", {}));
    await expect(deadRows.skip(watermark.begin(), false)).rejects.toThrow("reset");
  });

  test("is asked for again after the read only where a transaction was open, and no longer holds with a row before its end", async () => {
    answer = async () => upTo(50);
    const closed = await deadRows.skip(watermark.begin(), false);
    if (!closed) throw new Error("nothing was skipped");
    expect(await deadRows.stillHolds(closed)).toBe(true);
    expect(asked).toBe(1);
    const open = { ...closed, closed: false };
    expect(await deadRows.stillHolds(open)).toBe(true);
    answer = async () => upTo(20);
    expect(await deadRows.stillHolds(open)).toBe(false);
    answer = async () => null;
    expect(await deadRows.stillHolds(open)).toBe(false);
  });
});
