import { expect, test } from "vitest";
import type { Lifecycle } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { whyNotByMapping } from "./why-not-by-mapping.ts";

const refOf = (lifecycle: Partial<Lifecycle>, more: Partial<OutboxRef> = {}) =>
  ({ name: "orders", accepted: {}, mapping: { primaryKey: [{}], lifecycle }, ...more }) as OutboxRef;

test("a library's rows go only if its file says that they may", () => {
  const rules = { kind: "rules" as const, owner: "CAP" };
  expect(whyNotByMapping(refOf(rules))).toMatch(/CAP no longer needs/);
  expect(whyNotByMapping(refOf({ ...rules, sentRowsMayGo: "It deletes them too." }))).toBe(null);
});

test("rows that do not say that they are published never go", () => {
  for (const kind of ["delete", "log", "unknown"] as const) expect(whyNotByMapping(refOf({ kind }))).not.toBe(null);
  expect(whyNotByMapping(refOf({ kind: "untold", owner: "x", where: "y" }))).not.toBe(null);
});

test("without an accepted mapping, or a key, nothing goes", () => {
  const { accepted: _, ...open } = refOf({ kind: "flag" });
  expect(whyNotByMapping(open)).toMatch(/accept-mapping orders/);
  expect(whyNotByMapping(refOf({ kind: "flag" }))).toBe(null);
  const keyless = refOf({ kind: "flag" });
  expect(whyNotByMapping({ ...keyless, mapping: { ...keyless.mapping, primaryKey: [] } })).toMatch(/primary key/);
});
