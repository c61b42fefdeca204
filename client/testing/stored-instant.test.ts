import { expect, test } from "vitest";
import type { ColumnType } from "../sql/columns.ts";
import { storedInstant } from "./stored-instant.ts";

test.each<[ColumnType, string | null, string | null]>([
  ["timestamptz", "2026-11-30 09:23:48.109823+00", "2026-11-30T09:23:48.109823Z"],
  ["timestamptz", "2026-11-30 10:23:48.109+01", "2026-11-30T09:23:48.109Z"],
  ["timestamp", "2026-11-30 09:23:48.109823", "2026-11-30T09:23:48.109823Z"],
  ["epoch-ms", "1796030628109", "2026-11-30T09:23:48.109Z"],
  ["epoch-s", "1796030628", "2026-11-30T09:23:48.000Z"],
  ["compact-text", "20261130092348", "2026-11-30T09:23:48Z"],
  ["timestamptz", "yesterday", null],
  ["timestamptz", null, null],
])("%s %s", (type, text, expected) => {
  expect(storedInstant(text, { name: "at", type })).toBe(expected);
});
