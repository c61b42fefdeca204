import { z } from "zod";
import { auditExportQuerySchema, auditQuerySchema } from "../access/audit.ts";
import { auditListSchema } from "../message/messages.ts";
import { alertListSchema } from "../watch/alerts.ts";
import { deployListSchema, deployQuerySchema, deploySchema, newDeploySchema } from "../watch/deploys.ts";
import {
  incidentActSchema,
  incidentDetailSchema,
  incidentListSchema,
  incidentQuerySchema,
  incidentSchema,
  newIncidentSchema,
} from "../watch/incidents.ts";
import type { Endpoint } from "./endpoint.ts";

/** What happened: audit, alerts, deploys and incidents. */
export const INCIDENTS: readonly Endpoint[] = [
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
      "The audit of a filter as a file, csv or ndjson (Elastic Common Schema); NDJSON ends with a line that says whether it is complete",
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
];
