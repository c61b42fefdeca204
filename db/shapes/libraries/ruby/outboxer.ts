import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "outboxer";
const SOURCE = "774a84d; db/migrate, lib/outboxer/message.rb";

/** The message itself is the record that messageable_type and messageable_id name. */
export const outboxer: LibraryTable = {
  slug: "outboxer",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxermessages/,
  required: [
    "id",
    "lock_version",
    "status",
    "messageable_id",
    "messageable_type",
    "queued_at",
    "publishing_at",
    "published_at",
    "failed_at",
  ],
  optional: ["updated_at", "publisher_id", "publisher_name"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "messageable_id",
      eventType: "messageable_type",
      aggregateType: "messageable_type",
      aggregateId: "messageable_id",
      createdAt: "queued_at",
      publishedAt: "published_at",
      lockedBy: "publisher_name",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["published"] },
        dead: { column: "status", in: ["failed"] },
        waiting: { column: "status", in: ["queued", "publishing"] },
        claim: { marked: { column: "status", in: ["publishing"] } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "queued" } },
            { column: "lock_version", to: "increment" },
            { column: "updated_at", to: "now" },
            { column: "queued_at", to: "now" },
            { column: "publishing_at", to: "null" },
            { column: "published_at", to: "null" },
            { column: "failed_at", to: "null" },
            { column: "publisher_id", to: "null" },
            { column: "publisher_name", to: "null" },
          ],
          does: "Queued now, as the library's requeue does it.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "failed" } },
            { column: "lock_version", to: "increment" },
            { column: "failed_at", to: "now" },
            { column: "updated_at", to: "now" },
          ],
          does: "Failed: the library leaves it alone until it is requeued.",
        },
      },
    },
    traps: [
      "The row has no payload: it names the record that is the message. Errors are in outboxer_exceptions.",
      "The first error is final. The library's own counters, in outboxer_threads, do not notice changes that are made here.",
    ],
  },
};

const helper = (name: string, required: readonly string[], reason: string): LibraryTable => ({
  slug: `outboxer-${name}`,
  library: LIBRARY,
  source: SOURCE,
  name: new RegExp(`outboxer${name}`),
  nameDecides: true,
  required,
  kind: { role: "helper", reason },
});

export const outboxerHelpers: readonly LibraryTable[] = [
  helper("exceptions", ["class_name", "message_text", "message_id"], "it has the errors of outboxer's messages"),
  helper("frames", ["exception_id", "index", "text"], "it has the lines of outboxer's errors"),
  helper("publishers", ["name", "status", "settings", "metrics"], "it has outboxer's publishers"),
  helper("signals", ["name", "publisher_id"], "it has signals to outboxer's publishers"),
  helper("threads", ["hostname", "process_id", "thread_id", "queued_message_count"], "it has outboxer's counters"),
];
