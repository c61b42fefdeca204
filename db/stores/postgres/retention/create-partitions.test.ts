import { expect, test } from "vitest";
import type { RangePartition } from "../storage/read-partitions.ts";
import { nextRange } from "./create-partitions.ts";

/** Partitions between one instant and the next, as the catalog gives them. */
const between = (...instants: string[]) =>
  instants.slice(1).map(
    (to, index) =>
      ({
        name: `events_p${index}`,
        schema: "public",
        fromMs: Date.parse(instants[index] ?? ""),
        toMs: Date.parse(to),
        isDefault: false,
      }) as RangePartition,
  );
const next = (...instants: string[]) => nextRange(between(...instants))?.to.toISOString();

test("a partition is as long as the last one, a month as the calendar has it", () => {
  expect(next("2026-10-01T00:00Z", "2026-10-02T00:00Z")).toBe("2026-10-03T00:00:00.000Z");
  expect(next("2026-10-01T00:00Z", "2026-11-01T00:00Z")).toBe("2026-12-01T00:00:00.000Z");
  expect(next("2026-10-01T00:00Z", "2026-10-01T06:00Z")).toBe("2026-10-01T12:00:00.000Z");
});

test("the day on which the clocks change does not make all later ones longer or shorter", () => {
  // Midnights of Berlin: summer time ends on 25 October 2026 and begins on 28 March 2027.
  expect(next("2026-10-23T22:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z")).toBe("2026-10-26T23:00:00.000Z");
  expect(next("2027-03-26T23:00Z", "2027-03-27T23:00Z", "2027-03-28T22:00Z")).toBe("2027-03-29T22:00:00.000Z");
  expect(next("2026-10-18T22:00Z", "2026-10-25T23:00Z")).toBe("2026-11-02T00:00:00.000Z");
  expect(next("2026-10-11T22:00Z", "2026-10-18T22:00Z", "2026-10-25T23:00Z")).toBe("2026-11-01T23:00:00.000Z");
});

test("nothing follows a partition without an end, and nothing follows none", () => {
  const endless = { ...between("2026-10-01T00:00Z", "2026-10-02T00:00Z")[0], toMs: null } as RangePartition;
  expect(nextRange([endless])).toBeNull();
  expect(nextRange([])).toBeNull();
});

const nameAfter = (name: string) =>
  nextRange(between("2026-10-01T00:00Z", "2026-10-01T06:00Z").map((one) => ({ ...one, name })))?.name ?? "";

test("a long name keeps its stamp within the 63 bytes of Postgres, and differs from other long names", () => {
  const long = "an_outbox_of_a_service_with_a_long_name_";
  expect(nameAfter("events_p20261001_000000")).toBe("events_p20261001_060000");
  const [one, other] = ["orders", "returns"].map((last) => nameAfter(`${long}${last}_p1`));
  expect(one).toMatch(/_p20261001_060000$/);
  expect(one).not.toBe(other);
  for (const stem of [
    `${long}orders`,
    "ausgänge_für_bestellungen_und_rückläufer",
    "イベントの送信箱イベントの送信箱",
    "😀".repeat(12),
  ]) {
    const name = nameAfter(`${stem}_p1`);
    expect(name).toMatch(/_p20261001_060000$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(name).toBe(name.toWellFormed());
    expect(nameAfter(name)).toBe(name);
  }
});
