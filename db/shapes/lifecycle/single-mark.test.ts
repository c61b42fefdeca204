import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { catalogTable } from "../../stores/dynamodb/catalog/read-catalog.ts";
import type { AttributeKind } from "../../stores/port/item-family.ts";
import { recogniseOutbox } from "../recognise.ts";

const SHOP: TableDescription = {
  TableId: "shop",
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
};

function recognised(attributes: Record<string, AttributeKind>, columns: { publishedAt?: string } = {}) {
  const family = { table: "shop", attributes: { payload: "json" as const, eventType: "text" as const, ...attributes } };
  const table = catalogTable("shop_outbox", family, SHOP);
  const found = recogniseOutbox(table, [table], { columns, timeZone: "UTC" });
  if ("problem" in found) throw new Error(found.problem);
  return found;
}

const OUTBOX = { publishedAt: "time", createdAt: "time" } as const;

test.each([
  ["a time of giving up", { ...OUTBOX, deadAt: "time" }, "deadAt"],
  ["a flag of withdrawal", { ...OUTBOX, cancelled: "boolean" }, "cancelled"],
  ["a flag of failure", { published: "boolean", failed: "boolean" }, "failed"],
  ["a deletion beside a status", { status: "text", deleted: "boolean" }, "deleted"],
  ["an error beside a time of processing", { processedAt: "time", error: "text" }, "error"],
] as const)("%s beside the one attribute that is read leaves items unknown, with its name", (_, attributes, name) => {
  const { mapping, missing } = recognised(attributes);
  expect(mapping.lifecycle.kind).toBe("unknown");
  expect(missing).toContain(`there is ${name}`);
});

test("a person who names the mark decides, and other attributes change nothing", () => {
  const named = recognised({ ...OUTBOX, cancelled: "boolean" }, { publishedAt: "publishedAt" });
  expect(named).toMatchObject({ mapping: { lifecycle: { kind: "timestamp" } }, question: null });
  expect(recognised({ ...OUTBOX, compressed: "boolean" }).mapping.lifecycle.kind).toBe("timestamp");
});
