import { expect, it } from "vitest";
import { describePlace, describeRecordedOnly } from "./result-line.tsx";

it("says where the page is in its list, as exactly as the list was counted", () => {
  expect(describePlace(1, 50, { value: 10_000, precision: "capped" })).toBe("1 to 50 of 10,000+");
  expect(describePlace(51, 12, { value: 62, precision: "exact" })).toBe("51 to 62 of 62");
  expect(describePlace(undefined, 50, { value: 62, precision: "exact" })).toBe("50 of 62");
  expect(describePlace(1, 50, { value: 0, precision: "unknown" })).toBe("1 to 50");
  expect(describePlace(1, 0, { value: 0, precision: "exact" })).toBe("No message");
  expect(describePlace(51, 1, { value: 51, precision: "exact" })).toBe("51 of 51");
  expect(describePlace(1, 0, { value: 3, precision: "exact" })).toBe("0 of 3");
});

it("says how many messages no page shows because their rows are gone", () => {
  expect(describeRecordedOnly({ value: 1, precision: "exact" })).toBe(
    "1 more no longer has a row and is kept by the relay: see Failures",
  );
  expect(describeRecordedOnly({ value: 2, precision: "capped" })).toBe(
    "at least 2 more no longer have a row and are kept by the relay: see Failures",
  );
});
