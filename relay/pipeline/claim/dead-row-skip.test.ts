import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { horizonOf } from "../../testing/horizon.fixture.ts";
import { Watermark } from "../state/watermark.ts";
import { DeadRowSkip } from "./dead-row-skip.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const compareOrder = (left: OrderKey, right: OrderKey) => Number(left[0]) - Number(right[0]);
const upTo = (n: number, xid = 9): Skipped => ({
  reached: at(n),
  horizon: horizonOf(xid, xid),
  ageMs: 60_000,
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
    expect(await deadRows.skip(watermark.begin(), false)).toBe(true);
    expect(watermark.readFrom).toEqual(at(50));
    expect(watermark.position).toBeNull();
    expect(await deadRows.skip(watermark.begin(null, true), false)).toBe(true);
    expect(watermark.position).toEqual(at(50));
    expect(await deadRows.skip(watermark.begin(null, true), false)).toBe(false);
    expect(asked).toBe(2);
  });

  test("leads a backlog's look back to what was committed late among them", async () => {
    answer = async () => upTo(50);
    await deadRows.skip(watermark.begin(), false);
    const [begun, horizon] = [watermark.begin(), horizonOf(1, 9)];
    watermark.noteRead({ begun, reached: at(90), more: true, horizon, aged: true, nowMs: performance.now() });
    expect(watermark.readFrom).toEqual(at(90));
    answer = async () => upTo(4);
    expect(await deadRows.skip(watermark.begin(null, true), false)).toBe(true);
    expect(watermark.readFrom).toEqual(at(4));
  });

  test("gives way to a read when rows went back meanwhile, so that those who go back all the time stop nothing", async () => {
    answer = async () => {
      watermark.rewind(at(70));
      return upTo(50);
    };
    expect(await deadRows.skip(watermark.begin(), false)).toBe(false);
    expect(watermark.readFrom).toBeNull();
  });

  test("gives way to a read when the database does not finish it, and is not tried again at once", async () => {
    answer = () => Promise.reject(Object.assign(new Error("canceled"), { code: "57014" }));
    expect(await deadRows.skip(watermark.begin(), false)).toBe(false);
    expect(await deadRows.skip(watermark.begin(), false)).toBe(false);
    expect(asked).toBe(1);
  });

  test("says of a connection that was lost what reads say", async () => {
    answer = () => Promise.reject(new StoreError("unreachable", "unavailable", "reset", {}));
    await expect(deadRows.skip(watermark.begin(), false)).rejects.toThrow("reset");
  });
});
