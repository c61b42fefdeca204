import { expect, test } from "vitest";
import { type InflowSource, InflowSources } from "./inflow-source.ts";

type Point = [atSeconds: number, inserted: number, rows: number | null, since?: string];

function sourcesOf(points: readonly Point[]): InflowSource[] {
  const sources = new InflowSources();
  return points.map(([atSeconds, inserted, rows, since = "a"]) =>
    sources.note({ atSeconds, inserted, insertedBy: "sequence", committed: rows === null ? null : { rows, since } }),
  );
}

const every5 = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n * 5);

test("while values become rows the sequence tells, and the count of commits once they do not", () => {
  expect(new Set(sourcesOf(every5(0, 9).map((at) => [at, at * 100, at * 90])))).toEqual(new Set(["sequence"]));
  const burnt = sourcesOf(every5(0, 9).map((at) => [at, at * 100, 0]));
  expect(burnt.indexOf("committed")).toBe(4);
  expect(burnt.at(-1)).toBe("committed");
});

test("rows that sessions have not told yet are no rows that were rolled back", () => {
  const quiet = every5(0, 12).map((at): Point => [at, 7, 7]);
  expect(new Set(sourcesOf([...quiet, [60, 1000, 7], [65, 1000, 7], [70, 1000, 1000]]))).toEqual(new Set(["sequence"]));
});

test("what a long transaction commits at last is counted then", () => {
  const open = every5(0, 9).map((at): Point => [at, at * 100, 0]);
  expect(sourcesOf([...open, [45, 4000, 4000], [50, 4000, 4000]]).slice(-2)).toEqual(["committed", "sequence"]);
});

test("only the last minute counts, and little says nothing", () => {
  const burnt = every5(0, 9).map((at): Point => [at, at * 100, 0]);
  const kept = every5(45, 20).map((at): Point => [at, 4000 + at * 100, at * 100]);
  expect(sourcesOf([...burnt, ...kept]).at(-1)).toBe("sequence");
  expect(sourcesOf(every5(0, 9).map((at) => [at, at / 10, 0])).at(-1)).toBe("sequence");
});

test("counts that were set anew are not compared, and the choice stays", () => {
  const burnt = every5(0, 9).map((at): Point => [at, at * 100, 0]);
  expect(sourcesOf([...burnt, [45, 4500, 9000, "b"], [50, 5000, 9000, "b"]]).at(-1)).toBe("committed");
});

test("where commits are not counted, the sequence tells", () => {
  expect(sourcesOf(every5(0, 9).map((at) => [at, at * 100, null])).at(-1)).toBe("sequence");
});
