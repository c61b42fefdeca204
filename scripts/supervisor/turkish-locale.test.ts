import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serverCommand } from "../../db/embedded/server-command.ts";
import { withParentDeathSignal } from "./managed-child.ts";

/** A folder for LOCPATH with a Turkish locale; null where glibc's tools are missing. */
function makeTurkishLocale(): string | null {
  if (!existsSync("/usr/bin/localedef") || !existsSync("/usr/share/i18n/locales/tr_TR")) return null;
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-locale-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("/usr/bin/localedef", ["-i", "tr_TR", "-f", "UTF-8", join(folder, "tr_TR.UTF-8")], { stdio: "ignore" });
  return folder;
}

test("setpriv understands our signal names in every locale", async () => {
  const child = withParentDeathSignal(process.execPath, ["-e", "console.log('started')"]);
  const server = await serverCommand(process.execPath, ["--version"], []);
  for (const { args } of [child, server]) expect(args).not.toContainEqual(expect.stringMatching(/^SIG/));
  const folder = makeTurkishLocale();
  if (folder === null) return;
  const env = { ...process.env, LOCPATH: folder, LC_ALL: "tr_TR.UTF-8" };
  const { stdout, stderr } = spawnSync(child.command, child.args, { env, encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "started\n", stderr: "" });
});
