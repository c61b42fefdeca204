import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix, relative, sep } from "node:path";
import { BROKER_CLIENTS, FREE_FOLDERS, IMPORT_RULES, ROOT_FILES_OF_APP } from "./import-rules.mjs";

const SOURCE = /\.(ts|tsx|mts|js|jsx|mjs)$/;
const TEST = /\.(test|spec|fixture|conformance)\.\w+$/;
const SKIPPED = new Set(["node_modules", ".next", ".git", ".data", "test-results", "playwright-report", "coverage"]);
const BUILTIN = new Set(builtinModules);
const IMPORT =
  /(?:^|[;\s])(?:import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]+?\s+from\s*)?["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']\s*\)|\brequire\s*\(\s*["']([^"']+)["']\s*\)/g;

/**
 * Every import that the rules forbid, in a project's folder.
 * @param {string} root
 * @returns {{ file: string, line: number, specifier: string, why: string }[]} in the order of files and lines
 */
export function checkImports(root) {
  return listSources(root).flatMap((file) =>
    readImports(readFileSync(join(root, file), "utf8")).flatMap(({ specifier, line }) => {
      const why = findFault(file, specifier);
      return why === null ? [] : [{ file, line, specifier, why }];
    }),
  );
}

/** @param {string} text */
export function readImports(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/^\s*\/\/.*$/gm, blank);
  return [...code.matchAll(IMPORT)].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3],
    line: code.slice(0, match.index + match[0].length).split("\n").length,
  }));
}

function findFault(file, specifier) {
  const folder = folderOf(file);
  if (folder === null || TEST.test(file)) return null;
  const target = projectTarget(file, specifier);
  if (target === null) return findPackageFault(file, folder, specifier);
  const rule = IMPORT_RULES[folder];
  const targetFolder = target.split("/")[0];
  if (targetFolder === folder || rule.folders.includes(targetFolder) || !isFolder(target)) return null;
  return rule.why;
}

function findPackageFault(file, folder, specifier) {
  const rule = IMPORT_RULES[folder];
  const name = BUILTIN.has(specifier) ? `node:${specifier}` : specifier;
  const broker = BROKER_CLIENTS.find(({ pattern }) => pattern.test(name));
  if (broker !== undefined && folder !== "demo" && !file.startsWith(`relay/sinks/${broker.kind}/`)) {
    return `the client of ${broker.kind} stays inside relay/sinks/${broker.kind}`;
  }
  const allowed = rule.packages === undefined || rule.packages.some((pattern) => pattern.test(name));
  const forbidden = rule.never?.some((pattern) => pattern.test(name)) ?? false;
  return allowed && !forbidden ? null : rule.why;
}

/** The file that an import of the project's own means, from the root, or null when it means a package. */
function projectTarget(file, specifier) {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(file), specifier));
  return null;
}

/** A file at the root, such as package.json, is nobody's. */
function isFolder(target) {
  return target.includes("/") && (target.split("/")[0] in IMPORT_RULES || FREE_FOLDERS.has(target.split("/")[0]));
}

function folderOf(file) {
  if (!file.includes("/")) return ROOT_FILES_OF_APP.test(file) ? "app" : null;
  const folder = file.split("/")[0];
  return folder in IMPORT_RULES ? folder : null;
}

function listSources(root, folder = root) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listSources(root, path);
      return SOURCE.test(entry.name) ? [relative(root, path).split(sep).join("/")] : [];
    });
}

/** Keeps the lines, so that what follows keeps its line number. */
function blank(text) {
  return text.replace(/[^\n]/g, " ");
}
