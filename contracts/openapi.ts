import { z } from "zod";
import { ERROR_STATUS } from "../domain/errors.ts";
import { alertListSchema } from "./alerts.ts";
import { auditExportQuerySchema, auditQuerySchema } from "./audit.ts";
import { cookiePath } from "./base-path.ts";
import { blockedListSchema, blockedQuerySchema } from "./blocked.ts";
import { errorBodySchema } from "./common.ts";
import { connectorActSchema, connectorSchema } from "./connectors.ts";
import { correctionRequestSchema, correctionSchema } from "./corrections.ts";
import { demoRequestSchema, demoSchema } from "./demo.ts";
import { deployListSchema, deployQuerySchema, deploySchema, newDeploySchema } from "./deploys.ts";
import { inboxExportQuerySchema, messageExportQuerySchema } from "./export.ts";
import { findingListSchema } from "./findings.ts";
import { groupActSchema, groupMemorySchema } from "./groups.ts";
import { healthQuerySchema, healthSchema } from "./health.ts";
import { inboxListSchema, inboxMessageListSchema, inboxQuerySchema } from "./inboxes.ts";
import {
  incidentActSchema,
  incidentDetailSchema,
  incidentListSchema,
  incidentQuerySchema,
  incidentSchema,
  newIncidentSchema,
} from "./incidents.ts";
import {
  ignoreTableSchema,
  mappingPreviewSchema,
  mappingProposalSchema,
  savedMappingSchema,
  saveMappingSchema,
} from "./mapping.ts";
import {
  auditListSchema,
  failureGroupListSchema,
  failureGroupQuerySchema,
  messageDetailSchema,
  messageListSchema,
  messageQuerySchema,
  whySchema,
} from "./messages.ts";
import {
  bulkCommandSchema,
  itemQuerySchema,
  operationItemListSchema,
  operationListSchema,
  operationPreviewSchema,
  operationQuerySchema,
  operationRequestSchema,
  operationSchema,
  previewRequestSchema,
} from "./operations.ts";
import { forgetRequestSchema, outboxDetailSchema, outboxListSchema } from "./outboxes.ts";
import { decodedMessageSchema, rawPayloadQuerySchema } from "./payloads.ts";
import { reconciliationSchema } from "./reconciliation.ts";
import { pauseAnswerSchema, pauseRequestSchema, relayListSchema, resumeRequestSchema } from "./relays.ts";
import { revealedSchema, revealRequestSchema } from "./reveal.ts";
import {
  oidcCallbackQuerySchema,
  oidcStartQuerySchema,
  sessionListSchema,
  sessionSchema,
  signedOutSchema,
  signInRequestSchema,
} from "./session.ts";
import { seriesQuerySchema, seriesSchema, snapshotSchema } from "./snapshot.ts";
import {
  inboxPreviewQuerySchema,
  inboxRetentionPreviewSchema,
  retentionPreviewQuerySchema,
  retentionPreviewSchema,
  storageSchema,
} from "./storage.ts";
import { madeTokenSchema, newTokenSchema, tokenListSchema } from "./tokens.ts";
import { deleteViewSchema, newViewSchema, renameViewSchema, viewListSchema } from "./views.ts";

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

const TABLE = "/api/v1/stores/{store}/tables/{table}";

const OPERATION = "/api/v1/operations/{id}";

const BULK_COMMANDS_SAID = [
  ["pause", "Pause an operation in the background"],
  ["resume", "Go on with one that is paused or halted"],
  ["cancel", "Cancel what is left of it; what was done stays done"],
] as const;

const HEALTH = "application/health+json";

function mappingEndpoints(base: string, of: string): Endpoint[] {
  return [
    {
      method: "get",
      path: `${base}/mapping`,
      summary: `The mapping of ${of}, with its newest rows, counts and what each action writes`,
      answer: mappingPreviewSchema,
    },
    {
      method: "post",
      path: `${base}/mapping`,
      summary: "The same for a proposed mapping; saves nothing",
      body: mappingProposalSchema,
      answer: mappingPreviewSchema,
    },
    {
      method: "post",
      path: `${base}/mapping/save`,
      summary:
        "Writes a mapping into outbox.yaml and takes it over; accepts it unless the outbox is observed only; admin",
      body: saveMappingSchema,
      answer: savedMappingSchema,
    },
    {
      method: "post",
      path: `${base}/ignore`,
      summary: "Says in outbox.yaml that the table is no outbox; admin",
      body: ignoreTableSchema,
      answer: savedMappingSchema,
    },
  ];
}

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
    path: `${OUTBOX}/messages/export`,
    summary: "The messages of a filter as a file, csv or ndjson; NDJSON ends with a line that says whether it is whole",
    query: messageExportQuerySchema,
    answer: z.string(),
    type: "text/csv",
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}`,
    summary: "Everything known about one message",
    answer: messageDetailSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}/decoded`,
    summary: "Payload and headers, decoded: layers, envelopes and the content",
    answer: decodedMessageSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}/raw`,
    summary: "The stored bytes of the payload or the headers, as a file",
    query: rawPayloadQuerySchema,
    answer: z.string(),
    type: "application/octet-stream",
  },
  {
    method: "post",
    path: `${OUTBOX}/messages/{id}/reveal`,
    summary:
      "One message with nothing masked; for whom the configuration allows it, with a reason that the audit keeps",
    body: revealRequestSchema,
    answer: revealedSchema,
  },
  { method: "get", path: `${OUTBOX}/messages/{id}/why`, summary: "Why it is not moving", answer: whySchema },
  {
    method: "get",
    path: `${OUTBOX}/views`,
    summary: "Lists of messages that somebody saved for everybody",
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views`,
    summary: "Saves a list for everybody; operator",
    body: newViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views/{id}/rename`,
    summary: "Renames a saved list; operator",
    body: renameViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views/{id}/delete`,
    summary: "Deletes a saved list; operator",
    body: deleteViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/messages/{id}/corrections`,
    summary: "Send a corrected copy of a failed or dead message in its place; admin, if the outbox allows it",
    body: correctionRequestSchema,
    answer: correctionSchema,
    headers: [{ name: "Idempotency-Key", description: "The same key with the same body returns the first answer" }],
  },
  {
    method: "get",
    path: `${OUTBOX}/blocked`,
    summary: "One page of aggregates whose later messages wait, longest blocked first",
    query: blockedQuerySchema,
    answer: blockedListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/failure-groups`,
    summary: "Failed and dead messages by error text, error code or type",
    query: failureGroupQuerySchema,
    answer: failureGroupListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/failure-groups/{group}`,
    summary: "Notes and decisions about a failure group, by its fingerprint; `none` for failures without an error",
    answer: groupMemorySchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/failure-groups/{group}`,
    summary: "Notes something, claims, releases, resolves, reopens, ignores up to a rate, or ends that; operator",
    body: groupActSchema,
    answer: groupMemorySchema,
  },
  { method: "get", path: `${OUTBOX}/findings`, summary: "What the watchdog found stuck", answer: findingListSchema },
  {
    method: "get",
    path: `${OUTBOX}/storage`,
    summary: "Sizes, growth, what holds back clean-up, slots, partitions, retention",
    answer: storageSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/retention/preview`,
    summary: "What retention would remove now; changes nothing",
    query: retentionPreviewQuerySchema,
    answer: retentionPreviewSchema,
  },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/retention/preview",
    summary: "What retention would remove of an inbox now, and how long it must keep its rows; changes nothing",
    query: inboxPreviewQuerySchema,
    answer: inboxRetentionPreviewSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/operations`,
    summary:
      "One action on up to 100 messages at once, with an outcome for each; on more, or on all that match a filter, as an operation in the background (202)",
    body: operationRequestSchema,
    answer: operationSchema,
    headers: [
      { name: "Idempotency-Key", description: "Repeating a request with the same key returns the first answer." },
    ],
  },
  {
    method: "post",
    path: `${OUTBOX}/operations/preview`,
    summary: "What an operation would do, by type, and what it would refuse; changes nothing",
    body: previewRequestSchema,
    answer: operationPreviewSchema,
  },
  ...mappingEndpoints(OUTBOX, "an outbox"),
  ...mappingEndpoints(TABLE, "a table that may be an outbox"),
  {
    method: "post",
    path: `${OUTBOX}/forget`,
    summary: "Removes a missing outbox from health, metrics and lists; admin",
    body: forgetRequestSchema,
    answer: outboxListSchema,
  },
  {
    method: "get",
    path: "/api/v1/operations",
    summary: "Operations, newest first",
    query: operationQuerySchema,
    answer: operationListSchema,
  },
  {
    method: "get",
    path: OPERATION,
    summary: "An operation with its outcomes, or with its items counted by outcome",
    answer: operationSchema,
  },
  {
    method: "get",
    path: `${OPERATION}/items`,
    summary: "Items of an operation in the background, in the order of the work",
    query: itemQuerySchema,
    answer: operationItemListSchema,
  },
  ...BULK_COMMANDS_SAID.map(([command, summary]) => ({
    method: "post" as const,
    path: `${OPERATION}/${command}`,
    summary,
    body: bulkCommandSchema,
    answer: operationSchema,
  })),
  { method: "get", path: "/api/v1/inboxes", summary: "Every inbox with its figures", answer: inboxListSchema },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/messages",
    summary: "One page of an inbox",
    query: inboxQuerySchema,
    answer: inboxMessageListSchema,
  },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/messages/export",
    summary: "The rows of an inbox as a file, like the messages of an outbox",
    query: inboxExportQuerySchema,
    answer: z.string(),
    type: "text/csv",
  },
  {
    method: "get",
    path: "/api/v1/inboxes/{inbox}/reconciliation",
    summary: "Published messages that the consumer has not processed, and rows of messages that no outbox holds",
    answer: reconciliationSchema,
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
  {
    method: "get",
    path: "/api/v1/relays/{outbox}/connector",
    summary: "The connector of Debezium that publishes the outbox, with its slot",
    answer: connectorSchema,
  },
  {
    method: "post",
    path: "/api/v1/relays/{outbox}/connector",
    summary: "Pause, resume or restart the connector, or restart one of its tasks",
    body: connectorActSchema,
    answer: connectorSchema,
  },
  {
    method: "get",
    path: "/api/v1/audit",
    summary: "Who did what, with denied requests and exports, in all stores or for one outbox",
    query: auditQuerySchema,
    answer: auditListSchema,
  },
  {
    method: "get",
    path: "/api/v1/audit/export",
    summary:
      "The audit of a filter as a file, csv or ndjson (Elastic Common Schema); NDJSON ends with a line that says whether it is whole",
    query: auditExportQuerySchema,
    answer: z.string(),
    type: "text/csv",
  },
  { method: "get", path: "/api/v1/alerts", summary: "Webhooks and the newest alerts", answer: alertListSchema },
  {
    method: "post",
    path: "/api/v1/alerts/{webhook}/test",
    summary: "Send a test alert to a webhook",
    answer: alertListSchema,
  },
  {
    method: "get",
    path: "/api/v1/deploys",
    summary: "Deploys that were reported, newest first",
    query: deployQuerySchema,
    answer: deployListSchema,
  },
  {
    method: "post",
    path: "/api/v1/deploys",
    summary: "Report a deploy; operator",
    body: newDeploySchema,
    answer: deploySchema,
    headers: [
      { name: "Idempotency-Key", description: "Repeating a report with the same key returns the first answer." },
    ],
  },
  {
    method: "get",
    path: "/api/v1/incidents",
    summary: "Incidents, newest first",
    query: incidentQuerySchema,
    answer: incidentListSchema,
  },
  {
    method: "post",
    path: "/api/v1/incidents",
    summary: "Open an incident; 409 if one is open that is not named in `besides`; operator",
    body: newIncidentSchema,
    answer: incidentSchema,
  },
  {
    method: "get",
    path: "/api/v1/incidents/{id}",
    summary: "An incident with its timeline",
    answer: incidentDetailSchema,
  },
  {
    method: "post",
    path: "/api/v1/incidents/{id}",
    summary: "Note something, change who leads, rename or end an incident; operator",
    body: incidentActSchema,
    answer: incidentDetailSchema,
  },
  {
    method: "get",
    path: "/api/v1/incidents/{id}/export",
    summary: "An incident as Markdown",
    answer: z.string(),
    type: "text/markdown",
  },
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
    method: "get",
    path: "/api/v1/session/oidc/start",
    summary: "Sends a browser to the identity provider (302)",
    query: oidcStartQuerySchema,
    answer: z.string(),
    type: "text/html",
    public: true,
  },
  {
    method: "get",
    path: "/api/v1/session/oidc/callback",
    summary: "Where the identity provider sends the browser back; leads on to a page",
    query: oidcCallbackQuerySchema,
    answer: z.string(),
    type: "text/html",
    public: true,
  },
  {
    method: "post",
    path: "/api/v1/session/sign-out",
    summary: "Sign out; the session ends on the server",
    answer: signedOutSchema,
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
    path: "/api/v1/tokens",
    summary: "API tokens, without their secrets; admin",
    answer: tokenListSchema,
  },
  {
    method: "post",
    path: "/api/v1/tokens",
    summary: "Make an API token; the answer shows its secret this once; admin",
    body: newTokenSchema,
    answer: madeTokenSchema,
  },
  {
    method: "post",
    path: "/api/v1/tokens/{id}/revoke",
    summary: "Revoke an API token; admin",
    answer: tokenListSchema,
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
    servers: [{ url: cookiePath() }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "outbox-console" },
      },
      schemas: { Error: jsonSchema(errorBodySchema, "output") },
    },
    security: [{ basic: [] }, { token: [] }, { session: [] }],
  };
}

function describe(endpoint: Endpoint): Record<string, unknown> {
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
