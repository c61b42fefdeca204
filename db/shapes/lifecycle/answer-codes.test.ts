import { expect, test } from "vitest";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import { answerCodeOf } from "./answer-codes.ts";

function meansOf(name: string, type: Partial<CatalogTable["columns"][number]> = {}) {
  const column = { name, type: "integer", family: "integer", nullable: true, defaultSql: null, ...type };
  const others = ["id", "payload", "sent_at"].map((one) => ({ ...column, name: one }));
  const table = { columns: [...others, column], indexes: [], words: {} } as unknown as CatalogTable;
  const code = answerCodeOf(table, {}, "UTC");
  return code && [code.means, code.says];
}

test.each([
  ["http_status", ["answer", "http_status is set and not from 200 to 299"]],
  ["lastHttpStatusCode", ["answer", "lastHttpStatusCode is set and not from 200 to 299"]],
  ["codigo_respuesta", ["answer", "codigo_respuesta is set and not from 200 to 299"]],
  ["exit_code", ["answer", "exit_code is set and not 0"]],
  ["ERR_NO", ["error", "ERR_NO is set and not 0"]],
  ["outcome_code", ["nothing", "outcome_code is set"]],
  ["outcome", ["nothing", "outcome is set"]],
  ["rc", ["nothing", "rc is set"]],
  ["status_code", null],
  ["country_code", null],
  ["response_time", null],
])("%s", (name, expected) => {
  expect(meansOf(name)).toEqual(expected);
});

test("what a new row has says nothing", () => {
  expect(meansOf("http_status", { nullable: false, defaultSql: "0" })).toEqual([
    "answer",
    "http_status is set and not from 200 to 299 or 0",
  ]);
});
