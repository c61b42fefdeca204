import { expect, test } from "vitest";
import { asText, wantsText } from "./log-format.ts";

test("a record becomes a line with its time, level, part, message and facts", () => {
  const record = { level: 40, time: 0, pid: 1, hostname: "h", name: "relay", outbox: "orders", msg: "lease\nlost" };
  expect(asText(`${JSON.stringify(record)}\n`)).toBe(
    '1970-01-01T00:00:00.000Z WARN relay: lease\\nlost outbox="orders"\n',
  );
});

test("an error's stack follows indented, and what is no record stays", () => {
  const record = {
    level: 50,
    name: "console",
    msg: "Internal error",
    err: { message: "m", stack: "Error: m\n    at x" },
  };
  expect(asText(JSON.stringify(record))).toBe("ERROR console: Internal error\n    Error: m\n        at x\n");
  expect([asText("plain\n"), asText("{not json\n")]).toEqual(["plain\n", "{not json\n"]);
});

test("JSON is the default", () => {
  expect([wantsText({}), wantsText({ LOG_FORMAT: "json" }), wantsText({ LOG_FORMAT: "text" })]).toEqual([
    false,
    false,
    true,
  ]);
});
