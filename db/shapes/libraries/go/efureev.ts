import type { LibraryTable } from "../library-table-type.ts";

const RELEASED = [
  { column: "lease_token", to: "null" },
  { column: "lease_until", to: "null" },
  { column: "owner", to: "null" },
] as const;

/** A check ties the lease to status 1, so every change of status writes both. */
export const efureevOutbox: LibraryTable = {
  slug: "go-outbox",
  library: "efureev/go-outbox",
  source: "c9a356e; migrations/0001 to 0004, internal/store/queries.go",
  name: /messages|outbox/,
  required: ["id", "stream", "topic", "payload", "status", "attempts", "available_at", "lease_token", "lease_until"],
  optional: ["headers", "target", "owner", "last_error", "created_at", "dispatched_at", "deferred_since"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "topic",
      topic: "stream",
      createdAt: "created_at",
      publishedAt: "dispatched_at",
      attempts: "attempts",
      lastError: "last_error",
      availableAt: "available_at",
      lockedBy: "owner",
      lockedUntil: "lease_until",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [2] },
        dead: { column: "status", in: [3] },
        waiting: { column: "status", in: [0, 1] },
        claim: { marked: { column: "status", in: [1] }, ends: { column: "lease_until" } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 0 } },
            { column: "attempts", to: { number: 0 } },
            { column: "available_at", to: "now" },
            { column: "last_error", to: "null" },
            ...RELEASED,
            { column: "dispatched_at", to: "null" },
            { column: "deferred_since", to: "null" },
          ],
          does: "Pending and due now, with no attempts counted, as the library's requeue does it.",
        },
        "dead-letter": {
          set: [{ column: "status", to: { number: 3 } }, ...RELEASED, { column: "deferred_since", to: "null" }],
          does: "Failed: the dispatcher leaves it alone until it is requeued.",
        },
      },
    },
  },
};

export const efureevInbox: LibraryTable = {
  slug: "go-outbox-inbox",
  library: "efureev/go-outbox",
  source: "c9a356e; migrations/inbox/messages.sql",
  name: /inbox/,
  required: ["id", "stream", "topic", "payload", "received_at", "processed_at", "attempts"],
  optional: ["headers", "last_error"],
  forbidden: ["status", "lease_token"],
  kind: {
    role: "inbox",
    columns: { messageId: "id", eventType: "topic", receivedAt: "received_at", processedAt: "processed_at" },
    processed: { column: "processed_at", is: "set" },
    failed: {
      all: [
        { column: "processed_at", is: "null" },
        { column: "attempts", atLeast: 1 },
      ],
    },
  },
};
