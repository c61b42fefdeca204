import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "django-outbox-pattern";
const SOURCE = "a45db22; django_outbox_pattern/models.py, producers.py, consumers.py";
const DAY_SECONDS = 86_400;

/** A message that is not sent until expires_at, one day after it was added, is never sent. */
export const djangoOutboxPattern: LibraryTable = {
  slug: "django-outbox-pattern",
  library: LIBRARY,
  source: SOURCE,
  name: /published|outbox/,
  required: ["id", "destination", "body", "added", "expires_at", "retry", "status", "headers"],
  optional: ["version"],
  forbidden: ["msg_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "body",
      headers: "headers",
      topic: "destination",
      createdAt: "added",
      attempts: "retry",
      expiresAt: "expires_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [2] },
        dead: { column: "status", in: [-1] },
        waiting: { column: "status", in: [1] },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 1 } },
            { column: "retry", to: { number: 0 } },
            { column: "expires_at", to: { secondsFromNow: DAY_SECONDS } },
          ],
          does: "Scheduled, with no retries counted; it expires in one day, as a new message does.",
        },
        "dead-letter": {
          set: [{ column: "status", to: { number: -1 } }],
          does: "Failed: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: ["A scheduled message whose expires_at has passed is never sent, and the library does not say so anywhere."],
  },
};

export const djangoOutboxPatternReceived: LibraryTable = {
  slug: "django-outbox-pattern-received",
  library: LIBRARY,
  source: SOURCE,
  name: /received|inbox/,
  required: ["id", "msg_id", "body", "added", "expires_at", "retry", "status", "headers"],
  forbidden: ["destination"],
  kind: {
    role: "inbox",
    columns: { messageId: "msg_id", receivedAt: "added" },
    processed: { column: "status", in: [2] },
    failed: { column: "status", in: [-1] },
  },
};
