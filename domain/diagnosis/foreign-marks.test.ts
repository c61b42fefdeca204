import { expect, test } from "vitest";
import { ago, judged, relays } from "./situation.fixture.ts";

const FOREIGN = { foreignSince: ago(20), foreignLastAt: ago(2) };
const advice = (change: { foreignPublished?: number; foreignUnclaimed?: number }) =>
  judged({ facts: { relays: relays({ ...FOREIGN, ...change }) } }).causes.find(({ rule }) => rule === "foreign_relay");

test("rows that were removed while they were sent may not be the only ones: the others are in a backup", () => {
  expect(advice({ foreignPublished: 64 })?.nextStep).toMatch(/another relay .* TRUNCATE.* other messages .* a backup/);
});

test("rows may be marked by the table itself", () => {
  expect(advice({ foreignUnclaimed: 50 })?.diagnosis).toMatch(/a trigger of the table or a default of the column/);
});
