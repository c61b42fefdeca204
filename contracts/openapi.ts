import { z } from "zod";
import { ERROR_STATUS } from "../domain/errors.ts";
import { cookiePath, sessionCookieName } from "./base-path.ts";
import { errorBodySchema } from "./common.ts";
import { ACCESS } from "./endpoints/access.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { INBOXES } from "./endpoints/inboxes.ts";
import { INCIDENTS } from "./endpoints/incidents.ts";
import { MACHINES } from "./endpoints/machines.ts";
import { MESSAGES } from "./endpoints/messages.ts";
import { OPERATIONS } from "./endpoints/operations.ts";
import { OUTBOXES } from "./endpoints/outboxes.ts";
import { RELAYS } from "./endpoints/relays.ts";

const ENDPOINTS: readonly Endpoint[] = [
  ...OUTBOXES,
  ...MESSAGES,
  ...OPERATIONS,
  ...INBOXES,
  ...RELAYS,
  ...INCIDENTS,
  ...ACCESS,
  ...MACHINES,
];

const jsonSchema = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
};

/** Definitions inside a schema move to the components: a reference is read from the document's root. */
function withSharedSchemas<Document extends object>(document: Document, schemas: Record<string, unknown>): Document {
  const text = JSON.stringify(document, (_, value) => {
    if (typeof value !== "object" || value === null || !("$defs" in value)) return value;
    const { $defs, ...rest } = value;
    Object.assign(schemas, $defs);
    return rest;
  });
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}

/** The OpenAPI 3.1 document of the API, made from the contracts. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: describe(endpoint) };
  }
  const schemas: Record<string, unknown> = { Error: jsonSchema(errorBodySchema, "output") };
  const shared = withSharedSchemas(paths, schemas);
  return {
    openapi: "3.1.0",
    info: { title: "Outbox Console", version },
    servers: [{ url: cookiePath() }],
    paths: shared,
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: sessionCookieName() },
      },
      schemas: withSharedSchemas(schemas, schemas),
    },
    security: [{ basic: [] }, { token: [] }, { session: [] }],
  };
}

function describe(endpoint: Endpoint): Record<string, unknown> {
  const content = { [endpoint.type ?? "application/json"]: { schema: jsonSchema(endpoint.answer, "output") } };
  return {
    summary: endpoint.summary,
    ...(endpoint.public ? { security: [{}, { basic: [] }, { token: [] }, { session: [] }] } : {}),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint.query), ...headerParameters(endpoint)],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(endpoint.body, "input") } },
          },
        }
      : {}),
    responses: responses(endpoint, content),
  };
}

interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}

const LOCATION = { Location: { required: true, schema: { type: "string", format: "uri" } } };

function responses({ alsoAnswers = [], redirects }: Endpoint, content: Response["content"]): Record<string, Response> {
  const good: Record<string, Response> =
    redirects === undefined
      ? { 200: { description: "OK", content } }
      : { 302: { description: redirects, headers: LOCATION } };
  const all: Record<string, Response> = { ...good, ...errorResponses() };
  for (const { status, description } of alsoAnswers) {
    const error = all[status];
    all[status] = {
      description: error ? `${description}; ${error.description}` : description,
      content: { ...content, ...error?.content },
    };
  }
  return all;
}

function errorResponses(): Record<string, Response> {
  const codes = Map.groupBy(Object.entries(ERROR_STATUS), ([, status]) => status);
  return Object.fromEntries(
    [...codes].map(([status, list]) => [
      status,
      {
        description: list.map(([code]) => code).join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): unknown[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: jsonSchema(schema as z.ZodType, "input"),
  }));
}

function headerParameters(endpoint: Endpoint): unknown[] {
  return (endpoint.headers ?? []).map(({ name, description }) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}
