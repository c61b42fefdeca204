import { describe, expect, test } from "vitest";
import type { Storage } from "#contracts/outbox/storage.ts";
import { areManyDead, describeDeadRows } from "./dead-rows.ts";

const size = (deadRows: number | null, value: number, precision: Storage["size"]["rows"]["precision"]) =>
  ({ deadRows, rows: { value, precision } }) as Storage["size"];

describe("dead rows of a table", () => {
  test("are a share of all rows once these are known", () => {
    expect(describeDeadRows(size(3_000, 9_000, "estimate"))).toBe("25 % of all");
    expect(areManyDead(size(3_000, 9_000, "estimate"), 0.2)).toBe(true);
    expect(areManyDead(size(3_000, 9_000, "estimate"), 0.3)).toBe(false);
  });

  test("are no share of rows that nobody has counted yet", () => {
    expect(describeDeadRows(size(3_279, 0, "unknown"))).toBe("of an unknown number");
    expect(areManyDead(size(3_279, 0, "unknown"), 0.2)).toBe(false);
  });

  test("are none, or not counted", () => {
    expect(describeDeadRows(size(0, 0, "exact"))).toBe("none");
    expect(describeDeadRows(size(null, 10, "estimate"))).toBe("not counted by this store");
    expect(areManyDead(size(null, 10, "estimate"), 0.2)).toBe(false);
  });

  test("are nothing to warn about while they are few", () => {
    expect(areManyDead(size(900, 100, "exact"), 0.2)).toBe(false);
  });
});
