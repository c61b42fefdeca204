import { expect, test } from "vitest";
import { mayMean, valuesIn, withColumn, withKind, withValue } from "./proposal.ts";

const VALUES = {
  values: {
    column: "state_cd",
    read: 10,
    more: false,
    values: [
      { value: "0", rows: 5, state: "pending" as const },
      { value: "2", rows: 4, state: "published" as const },
      { value: "7", rows: 1, state: "unknown" as const },
    ],
  },
};

test("a value named anew keeps what the others say", () => {
  expect(withValue({ columns: {} }, VALUES, { value: "7", state: "dead" })).toEqual({
    columns: { status: "state_cd" },
    lifecycle: { kind: "status", pending: ["0"], inFlight: [], failed: [], published: ["2"], dead: ["7"], expired: [] },
  });
});

test("a second value is named before the first is answered, and both count", () => {
  const first = withValue({ columns: {} }, VALUES, { value: "7", state: "dead" });
  const second = withValue(first, VALUES, { value: "0", state: null });
  expect(second.lifecycle).toMatchObject({ pending: [], published: ["2"], dead: ["7"] });
  expect(valuesIn(second, VALUES.values.values).map(({ state }) => state)).toEqual(["unknown", "published", "dead"]);
});

test("a value that stands for nothing is in no list", () => {
  const { lifecycle } = withValue({ columns: {} }, VALUES, { value: "0", state: null });
  expect(lifecycle).toMatchObject({ pending: [], published: ["2"] });
});

test("a role left to the recogniser is not in the proposal", () => {
  const proposal = withColumn({ columns: {} }, "payload", "blob");
  expect(proposal).toEqual({ columns: { payload: "blob" } });
  expect(withColumn(proposal, "payload", null)).toEqual({ columns: {} });
  expect(withKind(withKind(proposal, "flag"), null)).toEqual(proposal);
});

test("a row without a status may be new, and mean nothing else", () => {
  const bare = { value: null, rows: 3, state: "unknown" as const };
  const values = [...VALUES.values.values, bare];
  const found = { values: { ...VALUES.values, values } };
  const named = withValue({ columns: {} }, found, { value: null, state: "pending" });
  expect(named.lifecycle).toMatchObject({ pending: ["0", null], published: ["2"] });
  expect(valuesIn(named, values).at(-1)?.state).toBe("pending");
  expect(withValue(named, found, { value: null, state: null }).lifecycle).toMatchObject({ pending: ["0"] });
  expect(withValue(named, found, { value: null, state: "dead" }).lifecycle).toMatchObject({ pending: ["0"], dead: [] });
  expect([mayMean(null, "pending"), mayMean(null, "published"), mayMean("0", "dead")]).toEqual([true, false, true]);
});
