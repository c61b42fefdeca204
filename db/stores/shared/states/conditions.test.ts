import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { toText } from "../../postgres/connection/dialect.ts";
import { ALWAYS, all, any, grouped, isNotTrue, isTrue, NEVER, not } from "./conditions.ts";

const one = sql`a = 1`;
const other = sql`b = 2`;

describe("conditions", () => {
  test("leave out what changes nothing, so that a predicate reads as an index has it", () => {
    expect(all(ALWAYS, one, ALWAYS)).toBe(one);
    expect(any(NEVER, one, NEVER)).toBe(one);
    expect(toText(all(one, any(one, other)))).toBe("a = 1 AND (a = 1 OR b = 2)");
  });

  test("know by identity what always and what never holds", () => {
    expect([all(), all(ALWAYS), any(one, ALWAYS), not(NEVER), isNotTrue(NEVER), grouped(ALWAYS)]).toEqual(
      Array.from({ length: 6 }, () => ALWAYS),
    );
    const never = [any(), any(NEVER), all(one, NEVER), not(ALWAYS), isNotTrue(ALWAYS), isTrue(NEVER)];
    expect(never.every((condition) => condition === NEVER)).toBe(true);
  });

  test("keep their meaning behind NOT", () => {
    expect(toText(not(all(one, other)))).toBe("NOT (a = 1 AND b = 2)");
    expect(toText(isNotTrue(all(one, other)))).toBe("NOT coalesce(a = 1 AND b = 2, false)");
  });
});
