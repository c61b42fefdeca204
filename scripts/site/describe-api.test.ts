import { expect, test } from "vitest";
import { openApiDocument } from "#contracts/openapi.ts";
import { describeApi } from "./describe-api.ts";

const document = openApiDocument("1.2.3");
const page = describeApi(document);

test("every endpoint of the API has its section", () => {
  const sections = page.split("\n").filter((line) => line.startsWith("## "));
  const endpoints = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `## \`${method.toUpperCase()} ${path}\``),
  );
  expect(endpoints.length).toBeGreaterThan(40);
  expect(sections).toEqual(endpoints);
});

test("a parameter is listed with what it may be", () => {
  const text = describeApi({
    info: { version: "1" },
    paths: {
      "/a": {
        get: {
          summary: "Lists",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 9 } },
            { name: "sort", in: "query", required: true, schema: { enum: ["up", "down"] } },
          ],
          responses: { 200: { content: { "text/csv": {} } } },
        },
      },
    },
  });
  expect(text).toContain("| `limit` | query | no | integer, 1 to 9 |");
  expect(text).toContain("| `sort` | query | yes | `up`, `down` |");
  expect(text).toContain("Answer 200: `text/csv`.");
});
