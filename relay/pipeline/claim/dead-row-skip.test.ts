import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { horizonOf } from "../../testing/horizon.fixture.ts";
import { LowWaterMark } from "../state/low-water-mark.ts";
import { BesideSkip } from "./dead-row-skip.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const compareOrder = (left: OrderKey, right: OrderKey) => Number(left[0]) - Number(right[0]);
const upTo = (n: number, xid = 9): Skipped => ({
  reached: at(n),
  horizon: horizonOf(xid, xid),
  ageMs: 60_000,
});

describe("the skip of rows that are kept beside", () => {
  let mark: LowWaterMark;
  let asked: number;
  let answer: () => Promise<Skipped | null>;
  let beside: BesideSkip;

  beforeEach(() => {
    mark = new LowWaterMark(compareOrder);
    asked = 0;
    const skipBeside = () => {
      asked += 1;
      return answer();
    };
    beside = new BesideSkip({ table: { compareOrder, skipBeside }, log: pino({ level: "silent" }) }, mark);
  });

  test("has the next read begin behind them, and the mark pass them when it sees them again", async () => {
    answer = async () => upTo(50);
    expect(await beside.skip(mark.begin(), false)).toBe(true);
    expect(mark.readFrom).toEqual(at(50));
    expect(mark.position).toBeNull();
    expect(await beside.skip(mark.begin(null, true), false)).toBe(true);
    expect(mark.position).toEqual(at(50));
    expect(await beside.skip(mark.begin(null, true), false)).toBe(false);
    expect(asked).toBe(2);
  });

  test("leads a backlog's look back to what was committed late among them", async () => {
    answer = async () => upTo(50);
    await beside.skip(mark.begin(), false);
    const [begun, horizon] = [mark.begin(), horizonOf(1, 9)];
    mark.noteRead({ begun, reached: at(90), more: true, horizon, aged: true, nowMs: performance.now() });
    expect(mark.readFrom).toEqual(at(90));
    answer = async () => upTo(4);
    expect(await beside.skip(mark.begin(null, true), false)).toBe(true);
    expect(mark.readFrom).toEqual(at(4));
  });

  test("gives way to a read when rows went back meanwhile, so that those who go back all the time stop nothing", async () => {
    answer = async () => {
      mark.rewind(at(70));
      return upTo(50);
    };
    expect(await beside.skip(mark.begin(), false)).toBe(false);
    expect(mark.readFrom).toBeNull();
  });

  test("gives way to a read when the database does not finish it, and is not tried again at once", async () => {
    answer = () => Promise.reject(Object.assign(new Error("canceled"), { code: "57014" }));
    expect(await beside.skip(mark.begin(), false)).toBe(false);
    expect(await beside.skip(mark.begin(), false)).toBe(false);
    expect(asked).toBe(1);
  });

  test("says of a connection that was lost what reads say", async () => {
    answer = () => Promise.reject(new StoreError("unreachable", "unavailable", "reset", {}));
    await expect(beside.skip(mark.begin(), false)).rejects.toThrow("reset");
  });
});
