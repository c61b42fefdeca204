import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures/test.ts";

test("the standalone build holds what the console runs, and no sources", () => {
  const files = readdirSync(".next/standalone", { recursive: true, encoding: "utf8" });
  expect(files).toContain("server.js");
  expect(files.filter((file) => !file.includes("node_modules") && /(\.test|\.spec|\.fixture)\.ts$/.test(file))).toEqual(
    [],
  );
});
