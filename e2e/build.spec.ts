import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures/test.ts";

test("the standalone build holds what the console runs, and no sources", () => {
  const files = readdirSync(".next/standalone", { recursive: true, encoding: "utf8" });
  expect(files).toContain("server.js");
  expect(files.some((file) => /^\.next\/server\/app\/.*page\.js$/.test(file))).toBe(true);
  expect(files.some((file) => /^\.next\/static\/chunks\/.*\.js$/.test(file))).toBe(true);
  expect(files.filter((file) => !/(^|\/)node_modules\//.test(file) && /\.tsx?$/.test(file))).toEqual([]);
});
