import { expect, test } from "vitest";
import { columnsThatHoldJson, wordsOfChecks, wordsOfEnum } from "./words.ts";

test("words of an enum", () => {
  const columns = [
    { name: "status", type: "enum('NEW','it''s','a,b)')" },
    { name: "other", type: "set('x')" },
  ];
  expect(wordsOfEnum(columns)).toEqual({ status: ["NEW", "it's", "a,b)"] });
});

test.each([
  ["`status` in ('NEW','it\\'s')", { status: ["NEW", "it's"] }],
  ["(`status` in (_utf8mb4\\'NEW\\',_utf8mb4\\'it\\\\\\'s\\'))", { status: ["NEW", "it's"] }],
  ["`status` in ('NEW','SENT') or `kind` in ('failed','dead')", {}],
  ["`status` in ('NEW','SENT') and `kind` in ('failed')", {}],
  ["lcase(`status`) in ('new','sent')", {}],
  ["`n` > 1", {}],
  ["`n` in (1,2)", { n: ["1", "2"] }],
  ["json_valid(`body`)", {}],
])("words of the check %s", (clause, words) => {
  expect(wordsOfChecks([clause])).toEqual(words);
});

test("columns that a check makes json", () => {
  expect(columnsThatHoldJson(["json_valid(`body`)", "`n` > 1", "json_valid(`more`)"])).toEqual(
    new Set(["body", "more"]),
  );
});
