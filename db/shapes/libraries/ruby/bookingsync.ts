import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

export const bookingsync: LibraryTable = {
  slug: "rails-transactional-outbox",
  library: "rails-transactional-outbox",
  source: "c2381e7; README.md, lib/rails_transactional_outbox/outbox_model.rb",
  name: /outbox/,
  required: [
    "id",
    "resource_class",
    "resource_id",
    "event_name",
    "context",
    "processed_at",
    "arguments",
    "changeset",
    "failed_at",
    "retry_at",
  ],
  optional: ["error_class", "error_message", "attempts", "created_at", "causality_key", "updated_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "changeset",
      headers: "arguments",
      eventType: "event_name",
      aggregateType: "resource_class",
      aggregateId: "resource_id",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "attempts",
      lastError: "error_message",
      availableAt: "retry_at",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "processed_at", is: "set" },
        waiting: { column: "processed_at", is: "null" },
        failed: { column: "failed_at", is: "set" },
      },
      verbs: {
        retry: {
          set: [
            { column: "attempts", to: { number: 0 } },
            { column: "retry_at", to: "null" },
            { column: "failed_at", to: "null" },
            { column: "error_class", to: "null" },
            { column: "error_message", to: "null" },
          ],
          does: "Due, with no attempts counted and no error.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "The library never gives up: its wait of 5 seconds doubles at each attempt without a limit, so the 20th attempt comes after 60 days.",
    ],
  },
};
