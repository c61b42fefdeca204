import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

/** Three columns: only the name tells the table from others. */
export const eventsauce: LibraryTable = {
  slug: "eventsauce",
  library: "EventSauce's message outbox",
  source: "docs/message-outbox/table-schema.md; MessageOutbox 6eff9b4",
  name: /outbox/,
  nameDecides: true,
  required: ["id", "consumed", "payload"],
  forbidden: ["status", "type", "event_type", "topic", "aggregate_type", "attempts", "created_at"],
  kind: {
    role: "outbox",
    columns: { id: "id", payload: "payload", order: "id" },
    lifecycle: {
      kind: "rules",
      states: { published: { column: "consumed", in: [1] }, waiting: { column: "consumed", in: [0] } },
      verbs: {
        retry: {
          set: [{ column: "consumed", to: { number: 0 } }],
          does: "Not consumed: the relay takes it again, in the order of the ids.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "The relay works in the order of the ids and stops at a message that fails. No time is stored: it is in the payload's headers (__time_of_recording).",
    ],
  },
};
