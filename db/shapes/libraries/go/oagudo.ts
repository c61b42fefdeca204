import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

export const oagudo: LibraryTable = {
  slug: "oagudo",
  library: "oagudo/outbox",
  source: "f4d8035; db_context.go, reader.go",
  name: /outbox/,
  required: ["id", "created_at", "scheduled_at", "metadata", "payload", "times_attempted"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "metadata",
      createdAt: "created_at",
      availableAt: "scheduled_at",
      attempts: "times_attempted",
    },
    lifecycle: {
      kind: "rules",
      states: { waiting: { always: true } },
      verbs: {
        retry: {
          set: [
            { column: "times_attempted", to: { number: 0 } },
            { column: "scheduled_at", to: "now" },
          ],
          does: "Due now, with no attempts counted.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "A message is deleted when it is sent, and also when the application's limit of attempts is reached: such a message leaves no trace here.",
    ],
  },
};
