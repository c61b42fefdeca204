import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { findNode } from "./find-node.mjs";
import { ROOT } from "./project.mjs";
import { captureCommand, runCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/**
 * The environment in which Playwright finds a browser: PLAYWRIGHT_CHROMIUM when set, on Linux the Chromium that npm
 * installed, elsewhere the one that Playwright's own installer fetches.
 * @returns {Promise<Record<string, string>>}
 */
export async function findBrowser() {
  const chosen = process.env.PLAYWRIGHT_CHROMIUM;
  if (chosen) {
    if (!existsSync(chosen)) throw new Sentence(`PLAYWRIGHT_CHROMIUM names ${chosen}, which does not exist.`);
    return {};
  }
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const code = await runCommand(findNode(), [
    join(ROOT, "node_modules/@playwright/test/cli.js"),
    "install",
    "chromium",
  ]);
  if (code !== 0) {
    throw new Sentence(
      "Playwright could not install a browser. Set PLAYWRIGHT_CHROMIUM to a Chromium or Chrome and try again.",
    );
  }
  return {};
}

/** The package reuses unpacked files of other versions, hence a folder for each version. */
async function unpackChromium() {
  const folder = packageFolder();
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const unpacked = join(tmpdir(), `outbox-console-chromium-${version}-${process.getuid?.() ?? 0}`);
  mkdirSync(unpacked, { recursive: true, mode: 0o700 });
  const script = 'import chromium from "@sparticuz/chromium"; console.log(await chromium.executablePath());';
  const { code, output } = await captureCommand(findNode(), ["--input-type=module", "-e", script], {
    env: { TMPDIR: unpacked },
  });
  const path = output.trim().split("\n").at(-1) ?? "";
  if (code !== 0 || !existsSync(path)) {
    throw new Sentence(
      `${output}\n\nThe browser could not be unpacked into ${unpacked}. Set PLAYWRIGHT_CHROMIUM to one of yours.`,
    );
  }
  return { PLAYWRIGHT_CHROMIUM: path, ...libraryPath(path, folder, unpacked) };
}

/** A bare system lacks some of the browser's libraries; those that the package carries for another Linux work here. */
function libraryPath(browser, folder, unpacked) {
  const { stdout } = spawnSync("ldd", [browser], { encoding: "utf8" });
  if (!/not found/.test(stdout ?? "")) return {};
  const libraries = join(unpacked, "libraries");
  if (!existsSync(join(libraries, "lib"))) {
    mkdirSync(libraries, { recursive: true });
    const archive = join(libraries, "libraries.tar");
    writeFileSync(archive, brotliDecompressSync(readFileSync(join(folder, "bin", "al2023.tar.br"))));
    spawnSync("tar", ["-xf", archive, "-C", libraries]);
  }
  const inherited = process.env.LD_LIBRARY_PATH;
  return { LD_LIBRARY_PATH: [join(libraries, "lib"), ...(inherited ? [inherited] : [])].join(":") };
}

function packageFolder() {
  const entry = createRequire(join(ROOT, "package.json")).resolve("@sparticuz/chromium");
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "bin", "chromium.br"))) return folder;
  }
  throw new Sentence("The package @sparticuz/chromium is damaged. Run npm ci and try again.");
}
