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

test("every reference of the document resolves from its root", () => {
  const document = openApiDocument("1.0.0");
  const references = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
  expect(references.size).toBeGreaterThan(1);
  const unresolved = [...references].filter((reference) => {
    const [root, ...keys] = reference.split("/");
    const target = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    return root !== "#" || target === undefined;
  });
  expect(unresolved).toEqual([]);
});

test("an answer with another status than 200 is in the document, with what it carries", () => {
  const { paths } = openApiDocument("1.0.0") as {
    paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, unknown> }> }>>;
  };
  const contentOf = (path: string, method: string, status: number) =>
    Object.keys(paths[path]?.[method]?.responses[status]?.content ?? {});
  expect(contentOf("/api/v1/outboxes/{outbox}/operations", "post", 202)).toEqual(["application/json"]);
  expect(contentOf("/api/health", "get", 503)).toContain("application/health+json");
  expect(contentOf("/api/health/ready", "get", 503)).toContain("application/health+json");
});

test("an endpoint that only redirects is in the document with its 302 and without a 200", () => {
  const { paths } = openApiDocument("1.0.0") as {
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object; content?: object }> }>>;
  };
  const answers = paths["/api/v1/session/oidc/start"]?.get?.responses ?? {};
  expect(answers[302]).toMatchObject({ headers: { Location: { required: true } } });
  expect(answers[302]?.content).toBeUndefined();
  expect(answers[200]).toBeUndefined();
});
