import { epochMilliseconds } from "../epoch-milliseconds.ts";
import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "@nestjs/outbox";
const SOURCE = "0.1; lib/postgres/migrations/initial.migration.ts, lib/mysql/migrations/initial.migration.ts";
const KEPT = ["id", "seq", "topic", "payload", "headers", "key", "created_at", "history"].map((name) => ({
  theirs: name,
  value: { column: name },
}));

/** A message waits for every older one of its key. All times are epoch milliseconds. */
export const nestjsMessages: LibraryTable = {
  slug: "nestjs-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /messages|outbox/,
  required: [
    "seq",
    "id",
    "topic",
    "payload",
    "headers",
    "key",
    "created_at",
    "available_at",
    "attempts",
    "last_error",
    "history",
    "lease_owner",
    "lease_until",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "topic",
      topic: "topic",
      aggregateId: "key",
      createdAt: "created_at",
      availableAt: "available_at",
      attempts: "attempts",
      lastError: "last_error",
      lockedBy: "lease_owner",
      lockedUntil: "lease_until",
      order: "seq",
    },
    times: epochMilliseconds("created_at", "available_at", "lease_until"),
    lifecycle: {
      kind: "rules",
      states: {
        waiting: { always: true },
        claim: { marked: { column: "lease_until", is: "set" }, ends: { column: "lease_until" } },
      },
      verbs: {
        retry: {
          set: [
            { column: "attempts", to: { number: 0 } },
            { column: "available_at", to: "now" },
            { column: "last_error", to: "null" },
            { column: "lease_owner", to: "null" },
            { column: "lease_until", to: "null" },
          ],
          does: "Due now, with no attempts counted; its history stays.",
        },
        "dead-letter": {
          moveTo: "dead_letters",
          values: [
            ...KEPT,
            { theirs: "attempts", value: { column: "attempts" } },
            { theirs: "last_error", value: { column: "last_error" } },
            { theirs: "reason", value: { word: "rejected" } },
            { theirs: "failed_at", value: "now" },
          ],
          does: "Moved into dead_letters as rejected; later messages of its key go on.",
        },
      },
    },
    traps: ["Published messages are deleted."],
  },
};

export const nestjsDeadLetters: LibraryTable = {
  slug: "nestjs-outbox-dead-letters",
  library: LIBRARY,
  source: SOURCE,
  name: /deadletters/,
  required: [
    "id",
    "seq",
    "topic",
    "payload",
    "headers",
    "key",
    "created_at",
    "attempts",
    "last_error",
    "history",
    "reason",
    "failed_at",
  ],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "topic",
      topic: "topic",
      aggregateId: "key",
      createdAt: "created_at",
      attempts: "attempts",
      lastError: "last_error",
      order: "seq",
    },
    times: epochMilliseconds("created_at"),
    lifecycle: {
      kind: "rules",
      shown: "reason",
      states: { dead: { always: true }, waiting: { not: { always: true } } },
      verbs: {
        retry: {
          moveTo: "messages",
          values: [...KEPT, { theirs: "available_at", value: "now" }, { theirs: "attempts", value: { number: 0 } }],
          does: "Moved back to its place in its key, due now, with no attempts counted; its history stays.",
        },
        "dead-letter": { refuse: "It is in the library's dead letters already." },
      },
    },
  },
};

export const nestjsInbox: LibraryTable = {
  slug: "nestjs-outbox-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inbox/,
  nameDecides: true,
  required: ["consumer", "message_id", "processed_at"],
  kind: {
    role: "inbox",
    columns: { messageId: "message_id", consumer: "consumer", processedAt: "processed_at" },
    times: epochMilliseconds("processed_at"),
    processed: { always: true },
  },
};
