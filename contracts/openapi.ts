import { z } from "zod";
import { ERROR_STATUS } from "../domain/errors.ts";
import { auditQuerySchema } from "./audit.ts";
import { errorBodySchema } from "./common.ts";
import { demoRequestSchema, demoSchema } from "./demo.ts";
import { findingListSchema } from "./findings.ts";
import { healthQuerySchema, healthSchema } from "./health.ts";
import { inboxListSchema, inboxMessageListSchema, inboxQuerySchema } from "./inboxes.ts";
import { mappingPreviewSchema, mappingProposalSchema } from "./mapping.ts";
import {
  auditListSchema,
  failureGroupListSchema,
  messageDetailSchema,
  messageListSchema,
  messageQuerySchema,
  whySchema,
} from "./messages.ts";
import { operationRequestSchema, operationSchema } from "./operations.ts";
import { forgetRequestSchema, outboxDetailSchema, outboxListSchema } from "./outboxes.ts";
import { pauseAnswerSchema, pauseRequestSchema, relayListSchema, resumeRequestSchema } from "./relays.ts";
import { sessionListSchema, sessionSchema, signInRequestSchema } from "./session.ts";
import { seriesQuerySchema, seriesSchema, snapshotSchema } from "./snapshot.ts";

interface Endpoint {
  method: "get" | "post";
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
  /** Default: application/json. */
  type?: string;
  /** Needs no sign-in. */
  public?: true;
  headers?: { name: string; description: string }[];
}

const OUTBOX = "/api/v1/outboxes/{outbox}";

const HEALTH = "application/health+json";

const ENDPOINTS: readonly Endpoint[] = [
  { method: "get", path: "/api/v1/outboxes", summary: "Every outbox with its figures", answer: outboxListSchema },
  { method: "get", path: OUTBOX, summary: "Mapping, capabilities, missing indexes", answer: outboxDetailSchema },
  {
    method: "get",
    path: `${OUTBOX}/snapshot`,
    summary: "Current figures and verdict of one outbox",
    answer: snapshotSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/series`,
    summary: "Samples over time; steps without a sample are gaps",
    query: seriesQuerySchema,
    answer: seriesSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages`,
    summary: "One page of messages",
    query: messageQuerySchema,
    answer: messageListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}`,
    summary: "Everything known about one message",
    answer: messageDetailSchema,
  },
  { method: "get", path: `${OUTBOX}/messages/{id}/why`, summary: "Why it is not moving", answer: whySchema },
  {
    method: "get",
    path: `${OUTBOX}/failure-groups`,
    summary: "Failed and dead messages by cause",
    answer: failureGroupListSchema,
  },
  { method: "get", path: `${OUTBOX}/findings`, summary: "What the watchdog found stuck", answer: findingListSchema },
  {
    method: "post",
    path: `${OUTBOX}/operations`,
    summary: "One action on up to 100 messages, with an outcome for each",
    body: operationRequestSchema,
    answer: operationSchema,
    headers: [
      { name: "Idempotency-Key", description: "Repeating a request with the same key returns the first answer." },
    ],
  },
  {
    method: "get",
    path: `${OUTBOX}/mapping`,
    summary: "The mapping in use, with its newest rows, counts and what each action writes",
    answer: mappingPreviewSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/mapping`,
    summary: "The same for a proposed mapping; saves nothing",
    body: mappingProposalSchema,
    answer: mappingPreviewSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/forget`,
    summary: "Removes a missing outbox from health, metrics and lists; admin",
    body: forgetRequestSchema,
    answer: outboxListSchema,
  },
  {
    method: "get",
    path: "/api/v1/operations/{id}",
    summary: "An operation with its outcomes",
    answer: operationSchema,
  },
  { method: "get", path: "/api/v1/inboxes", summary: "Every inbox with its figures", answer: inboxListSchema },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/messages",
    summary: "One page of an inbox",
    query: inboxQuerySchema,
    answer: inboxMessageListSchema,
  },
  {
    method: "post",
    path: "/api/v1/inboxes/{inbox}/forget",
    summary: "Removes a missing inbox from health and lists; admin",
    body: forgetRequestSchema,
    answer: inboxListSchema,
  },
  { method: "get", path: "/api/v1/relays", summary: "Relay instances, leases and pauses", answer: relayListSchema },
  {
    method: "post",
    path: "/api/v1/relays/{outbox}/pause",
    summary: "Pause an outbox's relay, or one event type or aggregate of it",
    body: pauseRequestSchema,
    answer: pauseAnswerSchema,
  },
  {
    method: "post",
    path: "/api/v1/relays/{outbox}/resume",
    summary: "Resume it",
    body: resumeRequestSchema,
    answer: relayListSchema,
  },
  { method: "get", path: "/api/v1/audit", summary: "Who did what", query: auditQuerySchema, answer: auditListSchema },
  {
    method: "get",
    path: "/api/v1/demo",
    summary: "The demo's faults; none if no demo runs",
    answer: demoSchema,
  },
  {
    method: "post",
    path: "/api/v1/demo",
    summary: "Switch a fault of the demo",
    body: demoRequestSchema,
    answer: demoSchema,
  },
  { method: "get", path: "/api/v1/session", summary: "Who am I", answer: sessionSchema, public: true },
  {
    method: "post",
    path: "/api/v1/session",
    summary: "Sign in",
    body: signInRequestSchema,
    answer: sessionSchema,
    public: true,
  },
  {
    method: "post",
    path: "/api/v1/session/sign-out",
    summary: "Sign out; the session ends on the server",
    answer: sessionSchema,
    public: true,
  },
  { method: "get", path: "/api/v1/sessions", summary: "Browser sessions", answer: sessionListSchema },
  {
    method: "post",
    path: "/api/v1/sessions/{id}/end",
    summary: "End somebody's session",
    answer: sessionListSchema,
  },
  {
    method: "get",
    path: "/api/health",
    summary: "Health for alerting; 503 when it fails. Anyone sees the status; details need credentials",
    query: healthQuerySchema,
    answer: healthSchema,
    type: HEALTH,
    public: true,
  },
  {
    method: "get",
    path: "/api/health/live",
    summary: "The process is alive; queries no database",
    answer: healthSchema.pick({ status: true }),
    type: HEALTH,
    public: true,
  },
  {
    method: "get",
    path: "/api/health/ready",
    summary: "A database answers; 503 when none does",
    answer: healthSchema.pick({ status: true, output: true }),
    type: HEALTH,
    public: true,
  },
  { method: "get", path: "/metrics", summary: "Figures for Prometheus", answer: z.string(), type: "text/plain" },
  {
    method: "get",
    path: "/api/openapi.json",
    summary: "This document",
    answer: z.record(z.string(), z.unknown()),
    public: true,
  },
];

const jsonSchema = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
};

/** The OpenAPI 3.1 document of the API, made from the contracts. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: describe(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Outbox Console", version },
    paths,
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        session: { type: "apiKey", in: "cookie", name: "outbox-console" },
      },
      schemas: { Error: jsonSchema(errorBodySchema, "output") },
    },
    security: [{ basic: [] }, { session: [] }],
  };
}

function describe(endpoint: Endpoint): Record<string, unknown> {
  return {
    summary: endpoint.summary,
    ...(endpoint.public ? { security: [{}, { basic: [] }, { session: [] }] } : {}),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint.query), ...headerParameters(endpoint)],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(endpoint.body, "input") } },
          },
        }
      : {}),
    responses: {
      200: {
        description: "OK",
        content: { [endpoint.type ?? "application/json"]: { schema: jsonSchema(endpoint.answer, "output") } },
      },
      ...errorResponses(),
    },
  };
}

function errorResponses(): Record<string, unknown> {
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
