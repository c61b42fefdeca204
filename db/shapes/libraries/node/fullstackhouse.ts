import { epochMilliseconds } from "../epoch-milliseconds.ts";
import type { LibraryTable } from "../library-table-type.ts";

/** A claim counts an attempt and puts attempt_at off, so a row with attempts is being delivered or has failed. */
export const fullstackhouse: LibraryTable = {
  slug: "fullstackhouse",
  library: "@fullstackhouse/nestjs-outbox",
  source: "56ef6da; mikroorm-driver/src/migrations, typeorm.database-driver.ts",
  name: /transportevent/,
  required: ["id", "event_name", "event_payload", "attempt_at", "retry_count", "status"],
  optional: ["expire_at", "inserted_at", "delivered_to_listeners", "delived_to_listeners"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "event_payload",
      eventType: "event_name",
      createdAt: "inserted_at",
      attempts: "retry_count",
      availableAt: "attempt_at",
    },
    times: epochMilliseconds("inserted_at", "attempt_at"),
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        dead: { column: "status", in: ["failed"] },
        waiting: {
          all: [
            { column: "status", in: ["pending"] },
            { column: "attempt_at", is: "set" },
          ],
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "pending" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "attempt_at", to: "now" },
          ],
          does: "Pending and due now, with no retries counted.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "failed" } },
            { column: "attempt_at", to: "null" },
          ],
          does: "Failed, without a time for an attempt: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: ["A row is deleted when every listener has had it. No error is stored, and expire_at has no effect."],
  },
};
