import { expect, test } from "vitest";
import { NO_ITEMS, sampleBulk } from "../preview/sample-bulk.fixture.ts";
import { countOf, listItemTabs, readItemTab } from "./item-tabs.ts";

test("the tabs hold every item exactly once", () => {
  const { counts } = sampleBulk();
  const tabs = listItemTabs("retry", counts, "all");
  const sum = tabs.slice(1).reduce((total, tab) => total + countOf(counts, tab), 0);
  expect(sum).toBe(countOf(counts, "all"));
});

test("the usual outcomes stay in place, rare ones appear when they occur or are asked for", () => {
  expect(listItemTabs("retry", NO_ITEMS, "all")).toEqual(["all", "published", "failed_again", "skipped", "left"]);
  expect(listItemTabs("archive", NO_ITEMS, "refused")).toEqual(["all", "done", "skipped", "refused", "left"]);
});

test("an unknown tab in the address is all", () => {
  expect(readItemTab("left")).toBe("left");
  expect(readItemTab("failed_again")).toBe("failed_again");
  expect(readItemTab("nonsense")).toBe("all");
  expect(readItemTab(null)).toBe("all");
});
