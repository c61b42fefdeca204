import { expect, test } from "vitest";
import type { DecodedPayload, PayloadBody, PayloadNode } from "#contracts/message/payloads.ts";
import { maskingSchema } from "../config/masking-schema.ts";
import { maskDecoded } from "./mask-decoded.ts";
import { maskerOf } from "./masker.ts";

const EMPTY = { chain: ["bytea"], bytes: 9, envelopes: [], references: [], notices: [], remarks: [] };

async function rulesOf(masking: object) {
  const rules = (await maskerOf(maskingSchema.parse(masking), undefined))?.rules("e");
  if (!rules) throw new Error("Nothing is masked.");
  return rules;
}

async function masked(masking: object, body: PayloadBody, more: Partial<DecodedPayload> = {}): Promise<DecodedPayload> {
  return maskDecoded({ ...EMPTY, ...more, body }, await rulesOf(masking));
}

const string = (text: string): PayloadNode => ({ kind: "string", text });
const object = (entries: Record<string, PayloadNode>): PayloadNode => ({
  ...{ kind: "object", type: null, more: 0 },
  entries: Object.entries(entries).map(([key, value]) => ({ key, value })),
});

test("fields of a binary format are masked by their names, and bytes that nobody can read are not shown", async () => {
  const root = object({
    customer: object({ email: string("a"), id: string("7") }),
    raw: { kind: "bytes", hex: "61", size: 1 },
  });
  const { body } = await masked({ paths: ["customer.email"] }, { kind: "fields", root });
  expect(body).toEqual({
    kind: "fields",
    root: object({ customer: object({ email: string("[masked]"), id: string("7") }), raw: string("[masked]") }),
  });
});

test("facts of an envelope and references are masked too", async () => {
  const envelopes = [
    {
      name: "CloudEvents 1.0",
      facts: [
        { name: "subject", value: "ann@x.org" },
        { name: "type", value: "t" },
      ],
    },
  ];
  const answer = await masked({ patterns: ["email"] }, { kind: "json", text: '{"to":"ann@x.org"}' }, { envelopes });
  expect(answer.envelopes[0]?.facts.map(({ value }) => value)).toEqual(["[masked]", "t"]);
  expect(answer.body).toEqual({ kind: "json", text: '{"to":"[masked]"}' });
});

test("content in which the paths cannot be found is hidden, with the reason", async () => {
  const texts: PayloadBody[] = [
    { kind: "text", text: "<email>a</email>" },
    { kind: "unknown", head: "YWJj" },
  ];
  for (const body of texts) {
    const answer = await masked({ paths: ["email"] }, body);
    expect(answer.body).toEqual({ kind: "unknown", head: null });
    expect(answer.notices.join()).toContain("cannot be found in it");
  }
  const open = await masked({ patterns: ["email"] }, { kind: "text", text: "<to>ann@x.org</to>" });
  expect(open.body).toEqual({ kind: "text", text: "<to>[masked]</to>" });
});

test("values of a format without names are hidden where paths are to be masked", async () => {
  const root = object({ 1: string("ann@x.org"), 2: { kind: "list", type: null, more: 0, items: [string("Anna")] } });
  const { body } = await masked({ paths: ["email"] }, { kind: "fields", root });
  expect(body).toEqual({
    kind: "fields",
    root: object({ 1: string("[masked]"), 2: { kind: "list", type: null, more: 0, items: [string("[masked]")] } }),
  });
});

test("the beginning of a JSON text is masked as such, and an empty text hides nothing", async () => {
  const rules = await rulesOf({ paths: ["email"] });
  const text = '[{"email": "ann@x.org", "n": 1}, {"email": "be';
  expect(maskDecoded({ ...EMPTY, body: { kind: "text", text } }, rules, true).body).toEqual({
    kind: "text",
    text: '[{"email": "[masked]", "n": 1}, {"email": "[masked]',
  });
  expect(maskDecoded({ ...EMPTY, body: { kind: "text", text } }, rules)).toMatchObject({
    body: { kind: "unknown", head: null },
    notices: ["The stored text is hidden: it cannot be read as JSON, so the values to mask cannot be found in it."],
  });
  expect(maskDecoded({ ...EMPTY, body: { kind: "text", text: "" } }, rules)).toMatchObject({
    body: { kind: "text", text: "" },
    notices: [],
  });
});
