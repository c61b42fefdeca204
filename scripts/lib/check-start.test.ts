import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { refuseOpenHost } from "./check-start.mjs";
import { scriptsProblem } from "./ensure-installed.mjs";

test.each(["0.0.0.0", "::", "192.168.1.5", "console.example.com"])(
  "an open HOST %s without a configuration is refused at once",
  (host) => {
    expect(() => refuseOpenHost({ host }, {})).toThrow(/no outbox\.yaml with a password/);
    expect(() => refuseOpenHost({ host }, { OUTBOX_CONFIG: "x.yaml" })).not.toThrow();
  },
);

test.each(["127.0.0.1", "localhost", "::1"])("loopback %s needs no password", (host) => {
  expect(() => refuseOpenHost({ host }, {})).not.toThrow();
});

test("a configuration without a password is refused on an open HOST, and an invalid one on any HOST, before a build", () => {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const check = (yaml: string, HOST: string) => {
    const OUTBOX_CONFIG = join(folder, "outbox.yaml");
    writeFileSync(OUTBOX_CONFIG, yaml);
    const env = { ...process.env, OUTBOX_CONFIG, HOST };
    const { status, stderr } = spawnSync(process.execPath, ["services/config/check-start-cli.ts"], {
      env,
      encoding: "utf8",
    });
    return { status, stderr };
  };
  expect(check("{}", "0.0.0.0")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("only on a loopback HOST"),
  });
  expect(check("{}", "127.0.0.1")).toEqual({ status: 0, stderr: "" });
  expect(check("storse: {}", "127.0.0.1")).toMatchObject({ status: 1, stderr: expect.stringContaining("storse") });
});

test("npm's ignore-scripts is a problem where the newer Node is needed", () => {
  expect(scriptsProblem("20.20.2", "true\n")).toMatch(/ignore-scripts.*npm ci --ignore-scripts=false/);
  expect(scriptsProblem("20.20.2", "false\n")).toBeNull();
  expect(scriptsProblem("24.0.0", "true\n")).toBeNull();
});

test("the banner shows our own address and no network address", () => {
  const say = `console.log("   ▲ Next.js"); console.log("   - Local:         http://localhost:3000"); console.log("   - Network:       http://0.0.0.0:3000"); console.log(" ✓ Ready in 1s"); console.log("- Network: later");`;
  const run = (HOST: string) =>
    spawnSync(process.execPath, ["--import", join(process.cwd(), "scripts/lib/before-server.mjs"), "-e", say], {
      env: { ...process.env, HOST, PORT: "3000" },
      encoding: "utf8",
    }).stdout.split("\n");
  expect(run("127.0.0.1")).toEqual([
    "   ▲ Next.js",
    "   - Outbox Console: http://127.0.0.1:3000",
    " ✓ Ready in 1s",
    "- Network: later",
    "",
  ]);
  expect(run("0.0.0.0")[1]).toBe("   - Outbox Console: port 3000 on every address of this machine");
});
