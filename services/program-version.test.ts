import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "./config/load-config.ts";
import { openRuntime } from "./runtime.ts";

test("the version is that of package.json, whoever started the process", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const npm = process.env.npm_package_version;
  onTestFinished(() => {
    if (npm === undefined) delete process.env.npm_package_version;
    else process.env.npm_package_version = npm;
  });
  process.env.npm_package_version = "99.0.0-of-another-package";
  const runtime = openRuntime({ config: parseConfig("{}", {}, "test"), applicationName: "version test", env: {} });
  onTestFinished(() => runtime.close());
  expect(runtime.version).toBe(version);
});
