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
  ["状态：0未发送，1已发送，2发送失败", { 0: "未发送", 1: "已发送", 2: "发送失败" }],
  ["0:未送信 1:送信中 9:エラー", { 0: "未送信", 1: "送信中", 9: "エラー" }],
  ["PENDING(0), PUBLISHED(1), FAILED(2)", { 0: "PENDING", 1: "PUBLISHED", 2: "FAILED" }],
  ["pending=0, published=1", { 0: "pending", 1: "published" }],
  ["[0 = Pending] [1 = Completed]", { 0: "Pending", 1: "Completed" }],
  ["PE - pendente; EN - enviado", { PE: "pendente", EN: "enviado" }],
  ["PEN=pendiente, ENV=enviado", { PEN: "pendiente", ENV: "enviado" }],
  ["0=ยังไม่ส่ง 1=ส่งแล้ว", null],
  ["PENDING -> SENT -> FAILED", null],
  ["NEW until sent, OLD after it", null],
  ["see ticket 17", null],
  ["state of the order", null],
])("%s", (comment, expected) => {
  expect(labels(comment)).toEqual(expected);
});
