import { expect, test } from "vitest";
import { atStart, sentence } from "../format.ts";

test("a clause of our own words begins with a capital", () => {
  expect(atStart("the aggregate order/1 is blocked")).toBe("The aggregate order/1 is blocked");
  expect(sentence("and 1 more: it waits")).toBe("And 1 more: it waits.");
});

test("a clause that begins with a name from a row stays as it is", () => {
  expect(atStart("order.paid fails")).toBe("order.paid fails");
  expect(atStart("theatre.opened fails")).toBe("theatre.opened fails");
});
