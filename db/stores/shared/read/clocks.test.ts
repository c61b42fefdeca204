import { expect, test } from "vitest";
import { clockOffset } from "./clocks.ts";

test.each([
  { asked: 100, answered: 140, database: 120, offset: 0 },
  { asked: 100, answered: 140, database: 100, offset: 0 },
  { asked: 100, answered: 140, database: 90, offset: 10 },
  { asked: 100, answered: 140, database: 150, offset: -10 },
])("a database that says $database between $asked and $answered differs by $offset", (at) => {
  expect(clockOffset(at.asked, at.answered, at.database)).toBe(at.offset);
});
