import { connectorActSchema, connectorSchema } from "../outbox/connectors.ts";
import { pauseAnswerSchema, pauseRequestSchema, relayListSchema, resumeRequestSchema } from "../outbox/relays.ts";
import type { Endpoint } from "./endpoint.ts";

/** Relays, pauses and connectors. */
export const RELAYS: readonly Endpoint[] = [
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
];
