import { expect, test } from "vitest";
import { BROKER_KINDS } from "#tests/brokers/broker-kinds.ts";
import { readArguments } from "./arguments.ts";

test("all brokers when none is named", () => {
  expect(readArguments([])).toEqual({ kinds: BROKER_KINDS, envFile: null });
});

test("some brokers, and a file for their addresses", () => {
  expect(readArguments(["redis", "--env", "a.env", "kafka"])).toEqual({ kinds: ["redis", "kafka"], envFile: "a.env" });
});

test.each([[["mysql"]], [["--env"]], [["--detach"]]])("%j is refused", (args) => {
  expect(readArguments(args)).toBeNull();
});
