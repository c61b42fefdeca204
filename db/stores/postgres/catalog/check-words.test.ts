import { expect, test } from "vitest";
import { wordsOfCheck } from "./check-words.ts";

test.each([
  ["CHECK ((status = ANY (ARRAY['A'::text, 'it''s (b)'::text])))", { status: ["A", "it's (b)"] }],
  [
    "CHECK (((status)::text = ANY ((ARRAY['A'::character varying, 'B'::character varying])::text[])))",
    { status: ["A", "B"] },
  ],
  [
    "CHECK (((status)::text = ANY (ARRAY[('A'::character varying)::text, ('B'::character varying)::text]))) NOT VALID",
    { status: ["A", "B"] },
  ],
  [`CHECK (("State" = ANY (ARRAY[0, 1, '-1'::integer])))`, { State: ["0", "1", "-1"] }],
  ["CHECK ((VALUE = ANY (ARRAY['NEW'::text, 'SENT'::text])))", { VALUE: ["NEW", "SENT"] }],
  ["CHECK (((status IS NULL) OR (status = ANY (ARRAY['A'::text, 'B'::text]))))", { status: ["A", "B"] }],
  ["CHECK (((status = 'A'::text) OR (status = 'B'::text)))", { status: ["A", "B"] }],
  [
    "CHECK (((status = ANY (ARRAY['A'::text, 'B'::text])) AND (kind = ANY (ARRAY['x'::text, ' OR '::text]))))",
    { status: ["A", "B"], kind: ["x", " OR "] },
  ],
])("%s lists words", (check, words) => {
  expect(Object.fromEntries(wordsOfCheck(check).map(({ column, words: list }) => [column, list]))).toEqual(words);
});

test.each([
  ["a function", "CHECK ((lower(status) = ANY (ARRAY['a'::text, 'b'::text])))"],
  ["a negation", "CHECK ((NOT (status = ANY (ARRAY[''::text, 'NULL'::text]))))"],
  ["words that it must not have", "CHECK ((status <> ALL (ARRAY['A'::text, 'B'::text])))"],
  ["a condition", "CHECK (((status = ANY (ARRAY['A'::text, 'B'::text])) = (sent_at IS NOT NULL)))"],
  [
    "either of two columns",
    "CHECK (((status = ANY (ARRAY['A'::text, 'B'::text])) OR (kind = ANY (ARRAY['x'::text]))))",
  ],
  ["another column's time", "CHECK (((status = 'SENT'::text) OR (sent_at IS NOT NULL)))"],
])("a check with %s lists none", (_, check) => {
  expect(wordsOfCheck(check)).toEqual([]);
});
