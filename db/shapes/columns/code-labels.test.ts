import { expect, test } from "vitest";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import { labelsOf } from "./code-labels.ts";

const labels = (comment: string) =>
  labelsOf({ columns: [{ name: "status", comment }] } as unknown as CatalogTable, "status");

test.each([
  ["0 = draft, 1 = pending, 2 = sent", { 0: "draft", 1: "pending", 2: "sent" }],
  ["0:held 1:pending 2:sent", { 0: "held", 1: "pending", 2: "sent" }],
  ["0 held 1 pending 2 sent", { 0: "held", 1: "pending", 2: "sent" }],
  ["Status: 1 - to send; 2 - sent; -1 - failed", { 1: "to send", 2: "sent", "-1": "failed" }],
  ["(0) neu, (1) gesendet, (9) Fehler", { 0: "neu", 1: "gesendet", 9: "Fehler" }],
  ["N=new/S=sent/E=error", { N: "new", S: "sent", E: "error" }],
  ["0=未发送 1=已发送", null],
  ["see ticket 17", null],
  ["state of the order", null],
])("%s", (comment, expected) => {
  expect(labels(comment)).toEqual(expected);
});
