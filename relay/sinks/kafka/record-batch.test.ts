import { expect, test } from "vitest";
import { toRecord } from "./record-batch.ts";

const routed = { topic: "t", key: null, body: "{}" };
const CE: [string, string] = ["ce_specversion", "1.0"];
const JSON_TYPE = "application/json";
const STRUCTURED = "application/cloudevents+json; charset=UTF-8";

test.each([
  ["a structured CloudEvent says that it is one", [], STRUCTURED, [["content-type", STRUCTURED]]],
  ["a binary CloudEvent says the type of its data", [CE], JSON_TYPE, [CE, ["content-type", JSON_TYPE]]],
  [
    "a header of the row's own stays",
    [CE, ["Content-Type", "text/csv"]],
    JSON_TYPE,
    [CE, ["Content-Type", "text/csv"]],
  ],
  ["a plain record has no further header", [["event_id", "1"]], JSON_TYPE, [["event_id", "1"]]],
] as [string, [string, string][], string, [string, string][]][])("%s", (_name, headers, contentType, expected) => {
  const record = toRecord({ ...routed, headers, contentType });
  expect(record.headers).toEqual(expected);
  expect(record.fixedBytes).toBe(toRecord({ ...routed, headers: expected, contentType }).fixedBytes);
});
