import { expect, test } from "vitest";
import { isClientError } from "../errors.ts";
import { headersOf } from "./headers.ts";

const refusalOf = (headers: Record<string, unknown>): string => {
  try {
    headersOf(headers as Record<string, string>, {});
  } catch (error) {
    if (isClientError(error, "invalid_input")) return error.message;
    throw error;
  }
  return "accepted";
};

test.each([
  ["a name with a space", { "bad name": "x" }, /^The header "bad name" has a name that HTTP .*"tenant-id"\.$/],
  ["no name", { "": "x" }, /^The header "" has a name/],
  ["a name with a line break", { "x\ny": "x" }, /^The header "x\\ny" has a name/],
  ["a name that is not ASCII", { größe: "x" }, /^The header "größe" has a name/],
  ["a name with a colon", { "a:b": "x" }, /^The header "a:b" has a name/],
  ["a name that is too long for RabbitMQ", { ["x".repeat(256)]: "x" }, /has a name/],
  ["a line break in a value", { note: "a\r\nHost: b" }, /^The header "note" has a line break/],
  ["a value that is no text", { n: 1 }, /^The header "n" is not a string\.$/],
  ["a value with U+0000", { n: "a\0" }, /^The header "n" holds the character U\+0000/],
  ["one name twice", { "X-Tenant": "a", "x-tenant": "b" }, /^The header "x-tenant" is there twice/],
  ["a name of this package", { TraceParent: "x" }, /^The header "TraceParent" is set by the outbox itself\.$/],
])("%s is refused with the header's name", (_, headers, sentence) => {
  expect(refusalOf(headers)).toMatch(sentence);
});

test.each([
  ...["event_id", "Event-Id", "webhook-signature", "event-type", "aggregate_id", "created_at", "outbox-replay"],
  ...["Host", "Content-Type", "authorization", "proxy-x", "Nats-Rollup", "CC", "key", "payload", "content_type"],
])("the name %s, which a sink leaves out, is refused", (name) => {
  expect(refusalOf({ [name]: "x" })).toMatch(/would not arrive: .* Give it another name\.$/);
});

test("what every sink carries is kept as it is", () => {
  const headers = { "tenant-id": "Zoë 漢字 🎈", "X-B3-TraceId": "", a_b: "50 %\t\"'\\", id: "1", type: "2", keys: "3" };
  expect(JSON.parse(headersOf(headers, { "event-version": "1" }))).toEqual({ ...headers, "event-version": "1" });
});
