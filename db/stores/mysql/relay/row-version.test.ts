import { expect, test } from "vitest";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { isRowOf } from "./row-version.ts";

const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: false, from: "shape" });
const mapping = {
  primaryKey: [column("id", "char(36)")],
  columns: {
    id: column("id", "char(36)"),
    payload: column("payload", "json"),
    createdAt: { ...column("created_at", "datetime(6)"), time: { kind: "timestamp", zone: "UTC" } },
  },
} as unknown as Parameters<typeof isRowOf>[0]["mapping"];

test("versions are compared in a form that no index serves: two lists for one index take time by the square", () => {
  const rows = [{ id: "a", version: "2026-11-28 10:00:00.123456" }];
  expect(isRowOf({ mapping, facts: { redated: false } }, rows)).toMatch(
    /^`o`\.`id` IN \('a'\) AND CASE WHEN \(`o`\.`id`, `o`\.`created_at`\) IN \(\('a', .*\)\) THEN TRUE ELSE FALSE END$/,
  );
});
