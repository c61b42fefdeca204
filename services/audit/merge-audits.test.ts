import { expect, test } from "vitest";
import type { AuditPlace, AuditRow } from "#db/stores/port/audit.ts";
import type { Places } from "../places-cursor.ts";
import { type AuditRead, mergeAudits } from "./merge-audits.ts";

const instant = (second: number) => `2026-11-23T10:00:${String(second).padStart(2, "0")}.000000Z`;
const rowOf = (id: string, second: number) => ({ id, at: instant(second) }) as AuditRow;

/** An audit whose rows are in its own order, newest first; read as an engine reads it. */
function readOf(
  name: string,
  rows: readonly AuditRow[],
  before: AuditPlace | null | undefined,
  most: number,
): AuditRead {
  if (before === null) return { name, prefix: "", rows: [], whole: true };
  const from = before ? rows.findIndex((row) => Number(row.id) < Number(before.id)) : 0;
  const rest = from === -1 ? [] : rows.slice(from, from + most + 1);
  return { name, prefix: "", rows: rest, whole: rest.length <= most };
}

function everyPage(audits: Record<string, readonly AuditRow[]>, most: number): string[][] {
  const pages: string[][] = [];
  let places: Places | null | undefined;
  do {
    const begins: Places = places ?? {};
    const merged = mergeAudits(
      Object.entries(audits).map(([name, rows]) => readOf(name, rows, begins[name], most)),
      most,
    );
    pages.push(merged.entries.map(({ id }) => id));
    places = merged.places;
  } while (places);
  return pages;
}

test("audits are one list by time, page by page", () => {
  const audits = { one: [rowOf("15", 9), rowOf("13", 5), rowOf("11", 1)], two: [rowOf("24", 8), rowOf("22", 4)] };
  expect(everyPage(audits, 2)).toEqual([["15", "24"], ["13", "22"], ["11"]]);
});

test("an audit whose clock was set back loses no entry at the end of a page", () => {
  const audits = { one: [rowOf("12", 5), rowOf("11", 6), rowOf("10", 4)], two: [rowOf("21", 1)] };
  expect(everyPage(audits, 1).flat()).toEqual(["12", "11", "10", "21"]);
});

test("an audit of which a page took nothing goes on at its newest entry of then", () => {
  const begun = mergeAudits(
    [
      { name: "one", prefix: "", rows: [rowOf("12", 9)], whole: false },
      { name: "two", prefix: "", rows: [rowOf("0021", 3)], whole: true },
    ],
    1,
  );
  expect(begun.places).toEqual({ one: { at: instant(9), id: "12" }, two: { at: instant(3), id: "0022" } });
});

test("when every audit has ended there is no further page", () => {
  expect(mergeAudits([{ name: "one", prefix: "one/", rows: [rowOf("1", 1)], whole: true }], 1)).toMatchObject({
    entries: [{ id: "one/1" }],
    places: null,
  });
  expect(mergeAudits([{ name: "one", prefix: "", rows: [], whole: true }], 5)).toEqual({ entries: [], places: null });
});
