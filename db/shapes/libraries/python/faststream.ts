import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "faststream-outbox";
const SOURCE = "6f8a279; faststream_outbox/schema.py, client.py";

export const faststream: LibraryTable = {
  slug: "faststream-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [
    "id",
    "queue",
    "payload",
    "headers",
    "attempts_count",
    "deliveries_count",
    "next_attempt_at",
    "acquired_at",
    "acquired_token",
  ],
  optional: ["created_at", "first_attempt_at", "last_attempt_at", "timer_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "queue",
      topic: "queue",
      createdAt: "created_at",
      attempts: "attempts_count",
      availableAt: "next_attempt_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: {
        waiting: { always: true },
        claim: {
          marked: { column: "acquired_token", is: "set" },
          ends: { column: "acquired_at", plusSeconds: 60 },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "attempts_count", to: { number: 0 } },
            { column: "deliveries_count", to: { number: 0 } },
            { column: "next_attempt_at", to: "now" },
            { column: "acquired_at", to: "null" },
            { column: "acquired_token", to: "null" },
          ],
          does: "Due now, with no attempts and no deliveries counted.",
        },
        "dead-letter": {
          moveTo: "outbox_dlq",
          values: [
            { theirs: "original_id", value: { column: "id" } },
            { theirs: "queue", value: { column: "queue" } },
            { theirs: "payload", value: { column: "payload" } },
            { theirs: "headers", value: { column: "headers" } },
            { theirs: "deliveries_count", value: { column: "deliveries_count" } },
            { theirs: "created_at", value: { column: "created_at" } },
            { theirs: "timer_id", value: { column: "timer_id" } },
            { theirs: "failed_at", value: "now" },
            { theirs: "failure_reason", value: { word: "operator" } },
          ],
          does: "Moved into outbox_dlq, as the broker does it when a message is given up.",
        },
      },
    },
    traps: [
      "A claim ends after 60 seconds, the subscriber's default (lease_ttl_seconds); no row says it.",
      "Handled messages are deleted. Without a table of dead letters, those that are given up are deleted as well.",
    ],
  },
};

export const faststreamDeadLetters: LibraryTable = {
  slug: "faststream-outbox-dead-letters",
  library: LIBRARY,
  source: SOURCE,
  name: /dlq|deadletter/,
  required: ["id", "original_id", "queue", "payload", "failed_at", "failure_reason"],
  optional: ["headers", "deliveries_count", "created_at", "last_exception", "timer_id"],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "queue",
      topic: "queue",
      createdAt: "created_at",
      attempts: "deliveries_count",
      lastError: "last_exception",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      shown: "failure_reason",
      states: { dead: { always: true }, waiting: { not: { always: true } } },
      verbs: {
        retry: {
          moveTo: "outbox",
          values: [
            { theirs: "queue", value: { column: "queue" } },
            { theirs: "payload", value: { column: "payload" } },
            { theirs: "headers", value: { column: "headers" } },
            { theirs: "attempts_count", value: { number: 0 } },
            { theirs: "deliveries_count", value: { number: 0 } },
            { theirs: "created_at", value: { column: "created_at" } },
            { theirs: "next_attempt_at", value: "now" },
          ],
          does: "Moved back into outbox as a new row, due now, with no attempts counted. A timer's id is not kept.",
        },
        "dead-letter": { refuse: "It is in the library's dead letters already." },
      },
    },
  },
};
