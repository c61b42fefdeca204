import { expect, test } from "vitest";
import type { CatalogTable } from "./catalog.ts";
import { tableChanges } from "./mapping-changes.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";

const table = { schema: "shop", name: "outbox" };
const id = { name: "id", type: "bigint", typeKey: "20:-1", number: 1 };

function changesOf(was: { type: string; typeKey: string }, now: { type: string; typeKey: string }): string[] {
  const kind = { name: "kind", number: 2 };
  const accepted = {
    ...{ table, key: "7", primaryKey: [id], columns: { eventType: { ...kind, ...was } } },
    ...{ all: ["id", "kind"], lifecycle: { kind: "timestamp", column: null } },
  } as unknown as MappingFingerprint;
  const found = {
    ...{ ...table, key: "7", primaryKey: ["id"], uniqueKeys: [], words: {} },
    columns: [id, { ...kind, ...now }],
  } as unknown as CatalogTable;
  return tableChanges(accepted, found);
}

test.each([
  [
    "a type",
    { type: "text", typeKey: "25:-1" },
    { type: "uuid", typeKey: "2950:-1" },
    "kind of shop.outbox is uuid; it was text",
  ],
  [
    "a collation",
    { type: "varchar(100)", typeKey: "varchar(100) utf8mb4_0900_ai_ci" },
    { type: "varchar(100)", typeKey: "varchar(100) latin1_swedish_ci" },
    "kind of shop.outbox is varchar(100) latin1_swedish_ci; it was varchar(100) utf8mb4_0900_ai_ci",
  ],
  [
    "an enum that was created again under its name",
    { type: "order_kind", typeKey: "16400:-1" },
    { type: "order_kind", typeKey: "16512:-1" },
    "kind of shop.outbox has another type of the same name: order_kind was created again, or is in another schema",
  ],
])("%s that has changed is named so that the difference is seen", (_, was, now, clause) => {
  expect(changesOf(was, now)).toEqual([clause]);
  expect(changesOf(was, was)).toEqual([]);
});
