import { expect, test } from "vitest";
import type { NumberedColumn } from "./facts/table.ts";
import { judged, NUMBERED } from "./situation.fixture.ts";

const of = (column: Partial<NumberedColumn>) => judged({ facts: { numberedColumns: [{ ...NUMBERED, ...column }] } });

test("a column with a fifth of its numbers left, or with an unknown number, is no trouble", () => {
  expect(of({ left: 8_000 }).rules).toEqual([]);
  expect(of({ left: null }).rules).toEqual([]);
});

test("a rule whose counter may not be read was not checked", () => {
  expect(of({ left: null }).unread).toEqual(["numbers_run_out"]);
  expect(of({}).unread).toEqual([]);
});

test("less than a fifth is a warning with the share", () => {
  const { verdict, causes } = of({ left: 7_200 });
  expect(verdict).toMatchObject({ word: "at_risk", status: "warn" });
  expect(causes[0]?.sentence).toBe(
    "seq (smallint) has 7,200 numbers left, 18 % of its range; after that, inserts fail",
  );
  expect(of({ left: 1 }).causes[0]?.sentence).toMatch(/ has 1 number left, less than 1 % of its range/);
});

test("none left is a failure, although all that is in the table is delivered", () => {
  const { verdict, causes } = of({ left: 0 });
  expect(verdict).toMatchObject({ word: "at_risk", status: "fail" });
  expect(causes[0]?.sentence).toBe("no number is left for seq (smallint), and an insert that takes the next one fails");
  expect(causes[0]?.nextStep).toMatch(/ALTER TABLE outbox ALTER COLUMN seq TYPE bigint\. .*--accept-mapping orders/);
});

test("the limit of a sequence is raised without a change of the table", () => {
  const [cause] = of({ left: 0, limitedBy: "counter", widenStatement: "ALTER SEQUENCE s NO MAXVALUE" }).causes;
  expect(cause?.nextStep).toBe("Raise the limit as the table's owner: ALTER SEQUENCE s NO MAXVALUE.");
  expect(of({ left: 0, widenStatement: null }).causes[0]?.nextStep).toMatch(/^No larger type/);
});
