import { describe, expect, test } from "vitest";
import { readSoakOptions, soakCommand } from "./options.ts";

describe("the options of a soak", () => {
  test("are repeated by the command that is printed", () => {
    const options = readSoakOptions([
      "--sink",
      "kafka",
      "--minutes",
      "0.5",
      "--seed",
      "9",
      "--lanes",
      "7",
      "--faults",
      "cut,half",
    ]);
    expect(options).toMatchObject({ sink: "kafka", chaosMs: 30_000, seed: 9, lanes: 7, kinds: ["cut", "half"] });
    if (options === null) throw new Error("no help was asked for");
    const [, args = ""] = soakCommand(options).split(" soak ");
    expect(readSoakOptions(args.split(" "))).toEqual(options);
  });

  test("are refused with a sentence", () => {
    expect(() => readSoakOptions(["--sink", "nats"])).toThrow("--sink is one of kafka, redis.");
    expect(() => readSoakOptions(["--sink", "redis", "--faults", "cut,half"])).toThrow(
      "--faults are some of cut,pause,",
    );
    expect(() => readSoakOptions(["--lanes", "many"])).toThrow("--lanes is a number from 1.");
  });

  test("are printed instead when help is asked for", () => {
    expect(readSoakOptions(["--help"])).toBeNull();
  });
});
