import type { LibraryTable } from "../library-table-type.ts";

const MAX_ATTEMPTS = 10;
const CLAIMED = { column: "status", in: ["processing"] } as const;
const UNDER_WAY = { column: "status", in: ["pending", "processing"] } as const;

/** Messages are taken where available_at has passed; a null there is never due. */
export const webrek: LibraryTable = {
  slug: "webrek",
  library: "webrek/laravel-outbox",
  source: "5a5e664; database/migrations, src/Models/OutboxMessage.php, config/outbox.php",
  name: /outbox/,
  required: [
    "id",
    "type",
    "payload",
    "headers",
    "status",
    "attempts",
    "available_at",
    "dispatched_at",
    "failed_at",
    "last_error",
    "updated_at",
  ],
  optional: ["created_at"],
  forbidden: ["transaction_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      eventType: "type",
      createdAt: "created_at",
      publishedAt: "dispatched_at",
      attempts: "attempts",
      lastError: "last_error",
      availableAt: "available_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["published"] },
        dead: {
          any: [
            { column: "status", in: ["failed"] },
            { all: [UNDER_WAY, { column: "attempts", atLeast: MAX_ATTEMPTS }] },
          ],
        },
        waiting: {
          all: [
            UNDER_WAY,
            { any: [{ column: "available_at", is: "set" }, CLAIMED] },
            { not: { column: "attempts", atLeast: MAX_ATTEMPTS } },
          ],
        },
        claim: {
          marked: CLAIMED,
          ends: { column: "updated_at", plusSeconds: 300, nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "pending" } },
            { column: "attempts", to: { number: 0 } },
            { column: "available_at", to: "now" },
            { column: "failed_at", to: "null" },
            { column: "last_error", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          does: "Pending and due now, with no attempts counted, as outbox:retry does it.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "failed" } },
            { column: "failed_at", to: "now" },
            { column: "updated_at", to: "now" },
          ],
          does: "Failed: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "A claim ends after 5 minutes and a message is given up after 10 attempts, the package's defaults (claim_timeout, max_attempts); no row says them.",
    ],
  },
};
