import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

/** A claim with an empty processor, or without a deadline, is none. */
export const outboxen: LibraryTable = {
  slug: "outboxen-gorm",
  library: "outboxen (GORM)",
  source: "2d8acf9; pkg/storage/storage.go",
  name: /outbox/,
  required: ["namespace", "id", "key", "payload", "processor_id", "processing_deadline"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      topic: "namespace",
      lockedBy: "processor_id",
      lockedUntil: "processing_deadline",
    },
    lifecycle: {
      kind: "rules",
      states: {
        waiting: { always: true },
        claim: {
          marked: {
            all: [{ not: { column: "processor_id", in: [""] } }, { column: "processing_deadline", is: "set" }],
          },
          ends: { column: "processing_deadline" },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "processor_id", to: { word: "" } },
            { column: "processing_deadline", to: "null" },
          ],
          does: "Claimed by no processor: the next one takes it.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: ["Published entries are deleted. Neither times, attempts nor errors are stored, so ages are unknown."],
  },
};
