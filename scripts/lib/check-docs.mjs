import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CODE_FOLDERS } from "./project.mjs";

/** First path segments that identify one of our files, rather than a URL, a media type or a phrase. */
const FOLDERS = new Set([...CODE_FOLDERS, "deploy", "docs", "drizzle", "site", ".ci"]);

/**
 * Lists citations in the documents of things that the project does not contain: files and folders in backticks, links
 * between documents, and `npm run` commands. Decision records are not checked, because they describe the past.
 * @param {string} root
 * @returns {{ file: string, line: number, cited: string }[]}
 */
export function checkDocs(root) {
  const scripts = readScripts(root);
  return listDocuments(root).flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((text, index) => {
        const missing = [
          ...citedPaths(text).filter((path) => !exists(root, path)),
          ...linkedPaths(text).filter((path) => !existsSync(join(root, dirname(file), path))),
          ...citedCommands(text).filter((command) => !scripts.has(command)),
        ];
        return missing.map((cited) => ({ file, line: index + 1, cited }));
      }),
  );
}

function citedPaths(text) {
  return [...text.matchAll(/`([\w.@*()[\]-]+\/[\w.@*/()[\]-]*)`/g)]
    .map((match) => match[1])
    .filter((path) => FOLDERS.has(path.split("/")[0]));
}

function linkedPaths(text) {
  return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1])
    .filter((path) => !/^[a-z]+:/.test(path));
}

function citedCommands(text) {
  return [...text.matchAll(/`npm run ([\w:-]+)/g)].map((match) => match[1]);
}

/** Only the part of a pattern before its first star must exist. */
function exists(root, path) {
  const star = path.indexOf("*");
  if (star === -1) return existsSync(join(root, path));
  return existsSync(join(root, path.slice(0, path.lastIndexOf("/", star))));
}

function readScripts(root) {
  return new Set(Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts ?? {}));
}

function listDocuments(root) {
  const atRoot = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].filter((name) =>
    existsSync(join(root, name)),
  );
  return [...atRoot, ...listMarkdown(root, join(root, "docs"))];
}

function listMarkdown(root, folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "adr" ? [] : listMarkdown(root, path);
    return entry.name.endsWith(".md") ? [relative(root, path)] : [];
  });
}
