import { expect, test } from "vitest";
import { readArguments, SERVICE_KINDS } from "./arguments.ts";

test("all servers when none is named", () => {
  expect(readArguments([])).toEqual({ kinds: SERVICE_KINDS, envFile: null });
});

test("some of them, and a file for their addresses", () => {
  expect(readArguments(["redis", "--env", "a.env", "mysql"])).toEqual({ kinds: ["redis", "mysql"], envFile: "a.env" });
});

test.each([[["oracle"]], [["--env"]], [["--detach"]]])("%j is refused", (args) => {
  expect(readArguments(args)).toBeNull();
});
