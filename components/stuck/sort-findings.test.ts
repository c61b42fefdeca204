import { expect, it } from "vitest";
import type { Finding } from "#contracts/findings.ts";
import { sortFindings } from "./sort-findings.ts";

const finding = (id: string, fields: Partial<Finding>): Finding => ({
  id,
  outbox: "orders",
  rule: "overdue",
  severity: "warn",
  title: "Overdue",
  subject: "",
  diagnosis: "",
  nextStep: "",
  href: null,
  messages: null,
  aggregates: null,
  since: "2026-11-21T03:00:00Z",
  evidence: [],
  ...fields,
});

it("puts the worst first", () => {
  const sorted = sortFindings([
    finding("young", { messages: 5 }),
    finding("old", { messages: 5, since: "2026-11-20T03:00:00Z" }),
    finding("many", { messages: 90 }),
    finding("broken", { severity: "fail", messages: 1 }),
  ]);
  expect(sorted.map((entry) => entry.id)).toEqual(["broken", "many", "old", "young"]);
});
