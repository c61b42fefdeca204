import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { Sentence } from "./stop-with-sentence.mjs";

/** As in next.config.ts. */
const PLACEHOLDER = "/__OUTBOX_BASE_PATH__";
const STANDALONE = join(".next", "standalone");
/** The built files that hold the placeholder. */
const TEMPLATES = join(".next", "with-base-path");
const TEXTS = /\.(js|json|html|rsc|css|txt)$/;

/**
 * The path under which a proxy serves the console, from BASE_PATH: empty, or such as `/outbox`.
 * @param {Record<string, string | undefined>} [env]
 */
export function basePathOf(env = process.env) {
  const path = (env.BASE_PATH ?? "").replace(/\/$/, "");
  if (path === "" || /^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  throw new Sentence(
    `BASE_PATH is "${env.BASE_PATH}", which is not a path such as /outbox or /tools/outbox. Letters, digits and . _ ~ - may be in it.`,
  );
}

/**
 * Keeps the files of a new build that hold the placeholder, and makes the build one for the root.
 * @param {string} root
 */
export function settleAtRoot(root) {
  const standalone = join(root, STANDALONE);
  rmSync(join(root, TEMPLATES), { recursive: true, force: true });
  for (const path of textsIn(standalone)) {
    const text = readFileSync(join(standalone, path), "utf8");
    if (!text.includes(PLACEHOLDER)) continue;
    write(join(root, TEMPLATES, path), text);
    writeFileSync(join(standalone, path), withBase(path, text, ""));
  }
}

/**
 * The server to start: the build itself at the root; under a path a copy of it in the system's temporary folder, which
 * is deleted when this process ends. The packages are not copied.
 * @param {string} root
 * @param {string} basePath
 * @returns {string} its path
 */
export function serverUnder(root, basePath) {
  const standalone = join(root, STANDALONE);
  if (basePath === "") return join(standalone, "server.js");
  const copy = makeFolder();
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  const isWanted = (path) => path !== join(standalone, "node_modules") && !path.endsWith(".map");
  cpSync(standalone, copy, { recursive: true, filter: isWanted, verbatimSymlinks: true });
  for (const path of textsIn(join(root, TEMPLATES)))
    write(join(copy, path), withBase(path, readFileSync(join(root, TEMPLATES, path), "utf8"), basePath));
  const packages = join(standalone, "node_modules");
  symlinkSync(existsSync(packages) ? packages : join(root, "node_modules"), join(copy, "node_modules"));
  return join(copy, "server.js");
}

/**
 * @param {string} path
 * @param {string} text
 * @param {string} basePath
 */
function withBase(path, text, basePath) {
  const replaced = text.replaceAll(PLACEHOLDER, basePath);
  if (basePath !== "" || basename(path) !== "routes-manifest.json") return replaced;
  // Next's redirect from the root to the base path would lead nowhere.
  const manifest = JSON.parse(replaced);
  manifest.redirects = manifest.redirects.filter(({ basePath }) => basePath !== false);
  return JSON.stringify(manifest);
}

/** @param {string} folder */
function textsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !path.startsWith("node_modules"));
}

function makeFolder() {
  try {
    return mkdtempSync(join(tmpdir(), "outbox-console-"));
  } catch (error) {
    throw new Sentence(
      `With BASE_PATH the console writes about 40 MB to ${tmpdir()}, and cannot (${error.code}). Mount a writable folder there, or name one in TMPDIR.`,
    );
  }
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
