import { describe, expect, test } from "vitest";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import { LOOK } from "./column-values.ts";
import { type Look, LookMemory } from "./look-at-values.ts";

const table = (type: string) => ({ schema: "public", name: "outbox", columns: [{ name: "status", type }] });
const lookAt = (column: string, type = "text"): Look => ({
  ...{ table: table(type) as unknown as CatalogTable, column, what: "words" },
  apply: (one) => one,
});
const FOUND = { words: ["NEW"], nulls: false };

describe("what looks at values have found", () => {
  test("is kept while a later look finds nothing, and only for a column of the same type", () => {
    const memory = new LookMemory();
    memory.keep(lookAt("status"), FOUND);
    memory.keep(lookAt("status"), null);
    expect(memory.valuesOf(lookAt("status"))).toEqual(FOUND);
    expect(memory.valuesOf(lookAt("status", "integer"))).toBeNull();
  });

  test("is looked for in turn: one that is never found in time keeps no other from its look", () => {
    const memory = new LookMemory();
    const looks = [lookAt("slow"), lookAt("b"), lookAt("c")];
    const tried: string[] = [];
    for (let reading = 0; reading < 6; reading += 1) {
      const [first] = memory.inTurn(looks);
      if (!first) throw new Error("no look");
      tried.push(first.column);
      memory.keep(first, first.column === "slow" ? null : FOUND);
    }
    expect(tried).toEqual(["slow", "b", "c", "slow", "b", "c"]);
  });

  test("has more time each time it was not found, up to a limit, and the usual time again afterwards", () => {
    const memory = new LookMemory();
    const look = lookAt("status");
    const times = [0, 1, 2, 3, 4].map(() => {
      const ms = memory.timeoutMs(look);
      memory.keep(look, null);
      return ms;
    });
    expect(times).toEqual([1, 2, 4, 8, 8].map((factor) => factor * LOOK.timeoutMs));
    memory.keep(look, FOUND);
    expect(memory.timeoutMs(look)).toBe(LOOK.timeoutMs);
  });
});
