import { expect, test } from "vitest";
import { valuesIn, withColumn, withKind, withValue } from "./proposal.ts";

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
