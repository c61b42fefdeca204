import { expect, test } from "vitest";
import { maskJson } from "./mask-json.ts";
import { type MaskRules, parsePath } from "./mask-rules.ts";
import { maskFreeText, NAMED_PATTERNS } from "./patterns.ts";

const rules = (change: Partial<MaskRules> = {}): MaskRules => ({
  ...{ paths: [], patterns: [], maskedByDefault: false, shown: [], hidden: null, hidesErrors: false },
  ...change,
});
const paths = (...given: string[]) => rules({ paths: given.map(parsePath) });
const masked = (text: string, by: MaskRules, cut = false) => maskJson(text, by, { cut })?.text;

test("a path masks its value at any depth, in lists too, whatever the case, and nothing else changes a character", () => {
  expect(masked('{ "a": 1.10, "Email":"x@y.de",  "big": 12345678901234567890 }', paths("email"))).toBe(
    '{ "a": 1.10, "Email":"[masked]",  "big": 12345678901234567890 }',
  );
  expect(masked('{"data":{"customer":{"email":"a"}},"email":"b"}', paths("customer.email"))).toBe(
    '{"data":{"customer":{"email":"[masked]"}},"email":"b"}',
  );
  const lines = '{"lines":[{"note":"a","sku":1},{"note":"b"}]}';
  const without = '{"lines":[{"note":"[masked]","sku":1},{"note":"[masked]"}]}';
  expect(masked(lines, paths("lines.*.note"))).toBe(without);
  expect(masked(lines, paths("$.lines.note"))).toBe(without);
  expect(masked('{"card":{"no":4111,"valid":true,"name":null}}', paths("card"))).toBe(
    '{"card":{"no":"[masked]","valid":"[masked]","name":null}}',
  );
});

test("with everything masked by default, only the named paths are seen", () => {
  const by = rules({ maskedByDefault: true, shown: [parsePath("orderId"), parsePath("totals")] });
  expect(masked('{"orderId":"o-1","name":"Ann","totals":{"net":1,"tax":[2]},"n":3}', by)).toBe(
    '{"orderId":"o-1","name":"[masked]","totals":{"net":1,"tax":[2]},"n":"[masked]"}',
  );
  expect(masked('"Ann"', by)).toBe('"[masked]"');
});

test("JSON inside a string, in base64 or escaped is looked into", () => {
  expect(masked(JSON.stringify({ payload: '{"email":"a@b.de","n":1}' }), paths("email"))).toBe(
    JSON.stringify({ payload: '{"email":"[masked]","n":1}' }),
  );
  const inside = Buffer.from('{"email":"ann@example.org"}').toString("base64");
  expect(masked(JSON.stringify({ data: inside, id: "0123456789abcdef" }), paths("email"))).toBe(
    '{"data":"[masked]","id":"0123456789abcdef"}',
  );
  const email = rules({ patterns: NAMED_PATTERNS.email });
  expect(masked('{"note":"mail \\u0061nn@example.org now","ann@example.org":1}', email)).toBe(
    '{"note":"mail [masked] now","[masked]":1}',
  );
});

test("the beginning of a longer text is masked too, and what was cut in the middle is not shown", () => {
  expect(masked('{"a":1,"email":"x@y', paths("email"), true)).toBe('{"a":1,"email":"[masked]');
  expect(masked('{"a":1,"note":"x@y', rules({ patterns: NAMED_PATTERNS.email }), true)).toBe('{"a":1,"note":"[masked]');
});

test("a text that is no JSON is not taken for some", () => {
  for (const text of ["{'email': 'x'}", "email=x", '{"a":1', "<email>x</email>", "{]", '{"a" 1 b}'])
    expect(maskJson(text, paths("email")), text).toBeNull();
});

test("patterns find addresses, cards by their check digit, accounts, phones and tokens, and leave other numbers", () => {
  const all = rules({ patterns: Object.values(NAMED_PATTERNS).flat() });
  const of = (text: string) => maskFreeText(text, all).text;
  expect(of("to ünal@exämple.de failed")).toBe("to [masked] failed");
  expect(of("card 4111 1111 1111 1111 declined, order 4111 1111 1111 1112")).toBe(
    "card [masked] declined, order 4111 1111 1111 1112",
  );
  expect(of("DE89 3704 0044 0532 0130 00 and DE88 3704 0044 0532 0130 00")).toContain("[masked] and DE88");
  expect(of("Authorization: Bearer abcdefgh12345")).toBe("Authorization: [masked]");
  expect(of("call +49 (30) 1234567 at 2026-11-24T10:00:00Z")).toBe("call [masked] at 2026-11-24T10:00:00Z");
  expect(masked('{"card":4111111111111111,"n":12}', all)).toBe('{"card":"[masked]","n":12}');
});

test("an error loses what stands behind a masked name, and the values of its message", () => {
  const by = paths("customer.email", "ssn");
  const of = (text: string, values: string[] = []) => maskFreeText(text, by, values).text;
  expect(of("duplicate key: Key (email)=(ann@x.org) already exists")).toBe(
    "duplicate key: Key (email)=[masked] already exists",
  );
  expect(of('422 {"email":"ann@x.org","code":7}')).toBe('422 {"email":[masked],"code":7}');
  expect(of(String.raw`body "{\"email\":\"ann\",\"a\":1}"`)).toBe(String.raw`body "{\"email\":[masked],\"a\":1}"`);
  expect(of("ssn=123-45, Email: ann; rest")).toBe("ssn=[masked], Email: [masked]; rest");
  expect(of("no account of Ann O'Hara", ["Ann O'Hara", "no"])).toBe("no account of [masked]");
  expect(of("the emails are out")).toBe("the emails are out");
});

test("hostile texts are read in time in proportion to their length, or not at all", () => {
  const all = { ...paths("a.*.secret", "lines.*"), patterns: Object.values(NAMED_PATTERNS).flat() };
  expect(maskJson("[".repeat(200_000), all, { cut: true })).toBeNull();
  const many = `[${"1,".repeat(100_000)}2]`;
  expect(maskJson(many, all)?.count).toBe(0);
  const escapes = JSON.stringify({ text: "\n".repeat(200_000), secret: "\u0000".repeat(100_000) });
  expect(maskJson(escapes, paths("secret"))?.count).toBe(1);
  const nested = Array.from({ length: 12 }).reduce<string>((text) => JSON.stringify({ x: text }), '{"secret":"zq7"}');
  expect(maskJson(nested, paths("secret"))?.text).not.toContain("zq7");
});
