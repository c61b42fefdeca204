import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";

const METHOD = /export (?:const|async function|function) (GET|POST|PUT|PATCH|DELETE)\b/g;

/** `METHOD /path` of every endpoint that the app folder has. */
function endpoints(): string[] {
  return globSync("app/**/route.ts")
    .filter((file) => !file.includes("[..."))
    .flatMap((file) => {
      const path = file
        .replace(/^app/, "")
        .replace(/\/route\.ts$/, "")
        .replaceAll("[", "{")
        .replaceAll("]", "}");
      return [...readFileSync(file, "utf8").matchAll(METHOD)].map(([, method]) => `${method} ${path}`);
    });
}

test("the document lists every endpoint, and no other", () => {
  const { paths } = openApiDocument("1.0.0") as { paths: Record<string, Record<string, unknown>> };
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(endpoints().length).toBeGreaterThan(20);
  expect(listed.sort()).toEqual(endpoints().sort());
});
