import { expect, test } from "vitest";
import { healthOutput } from "./health-output.ts";

const fails = (output: string) => [{ componentType: "datastore", status: "fail" as const, output }];

test("nothing wrong is one sentence", () => {
  expect(healthOutput({ "orders:clock": [{ componentType: "component", status: "pass" }] })).toBe(
    "Every check passes.",
  );
});

test("the verdict of an outbox comes before what else fails", () => {
  const checks = { "disk:free": fails("full"), "orders:verdict": fails("Not delivering: no relay is alive") };
  expect(healthOutput(checks)).toBe("orders: Not delivering: no relay is alive");
});

test("while a database is silent its outbox is named, and not an inbox beside it", () => {
  const silent = "The database of store shop does not answer.";
  const checks = { "loyalty:oldestUnprocessed": fails(silent), "orders:database": fails(silent) };
  expect(healthOutput(checks)).toBe(`orders:database: ${silent}`);
});

test("a failure comes before any warning", () => {
  const warns = [{ componentType: "component", status: "warn" as const, output: "Late" }];
  expect(healthOutput({ "orders:verdict": warns, "store shop": fails("gone") })).toBe("store shop: gone");
});

test("of several that fail the first by name is told, whatever order they ended in, and the others are named", () => {
  const full = fails("has no connection left");
  const checks = { "orders:database": full, "billing:database": full, "orders:clock": fails("off") };
  const sentence = "billing:database: has no connection left; also failing: orders";
  expect(healthOutput(checks)).toBe(sentence);
  expect(healthOutput(Object.fromEntries(Object.entries(checks).reverse()))).toBe(sentence);
});

test("the names of the others follow a sentence as one of their own", () => {
  const late = fails("Late: 3 wait.");
  const told = healthOutput({ "orders:verdict": late, "bills:verdict": late });
  expect(told).toBe("bills: Late: 3 wait. Also failing: orders.");
});
