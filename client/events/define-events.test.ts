import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { isClientError } from "../errors.ts";
import type { PayloadIn, PayloadOut, TypesOf } from "./define-events.ts";
import { defineEvents } from "./define-events.ts";

const events = defineEvents({
  "order.placed": {
    version: 2,
    aggregate: "order",
    key: (payload) => payload.orderId,
    schema: z.object({ orderId: z.string(), total: z.number(), note: z.string().default("") }),
    sensitive: ["note"],
  },
  "order.shipped": { version: 1, aggregate: "order", schema: z.object({ at: z.string() }) },
});

test("types of payloads come from the schemas", () => {
  type Events = typeof events;
  expectTypeOf<TypesOf<Events>>().toEqualTypeOf<"order.placed" | "order.shipped">();
  expectTypeOf<PayloadIn<Events, "order.placed">>().toEqualTypeOf<{
    orderId: string;
    total: number;
    note?: string | undefined;
  }>();
  expectTypeOf<PayloadOut<Events, "order.placed">>().toEqualTypeOf<{ orderId: string; total: number; note: string }>();
});

test("the registry as JSON has types, versions, sensitive paths and schemas", () => {
  const { format, events: described } = events.toJsonSchema();
  expect(format).toBe(1);
  expect(Object.keys(described)).toEqual(["order.placed", "order.shipped"]);
  expect(described["order.placed"]).toMatchObject({
    version: 2,
    aggregate: "order",
    description: null,
    sensitive: ["note"],
    schema: { type: "object", properties: { orderId: { type: "string" }, total: { type: "number" } } },
  });
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
});

test("a schema that cannot describe itself has no JSON Schema, unless the registry gives one", () => {
  const schema = { "~standard": { version: 1 as const, vendor: "own", validate: (value: unknown) => ({ value }) } };
  const described = defineEvents({
    silent: { version: 1, aggregate: "a", schema },
    told: { version: 1, aggregate: "a", schema, jsonSchema: { type: "object" } },
  }).toJsonSchema().events;
  expect([described.silent?.schema, described.told?.schema]).toEqual([null, { type: "object" }]);
});

test.each([
  ["a version of 0", { version: 0 }],
  ["no aggregate", { aggregate: "" }],
  ["no schema", { schema: {} as never }],
  ["an empty sensitive path", { sensitive: ["a..b"] }],
  ["a sensitive path in place of a list", { sensitive: "email" as never }],
  ["a misspelt member", { sensitve: ["email"] } as object],
  ["a key that is no function", { key: "id" as never }],
  ["an upgrade that is no function", { upgrade: {} as never }],
])("a definition with %s is refused", (_, fault) => {
  const sound = { version: 1, aggregate: "order", schema: z.object({}) };
  let error: unknown;
  try {
    defineEvents({ "order.placed": { ...sound, ...fault } });
  } catch (caught) {
    error = caught;
  }
  expect(isClientError(error, "invalid_input")).toBe(true);
});

test("a type without a definition is refused", () => {
  expect(() => defineEvents({ "order.placed": null as never })).toThrow(/"order\.placed" has no definition/);
});
