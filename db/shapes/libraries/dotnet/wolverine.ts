import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "Wolverine";
const SOURCE = "a4b6f5bd9; OutgoingEnvelopeTable.cs, IncomingEnvelopeTable.cs, DeadLettersTable.cs";

/** `owner_id` is 0 or the number of the node that is sending the row; a row is deleted once it is sent. */
export const wolverineOutgoing: LibraryTable = {
  slug: "wolverine",
  library: LIBRARY,
  source: SOURCE,
  name: /wolverineoutgoingenvelopes$/,
  required: ["id", "owner_id", "destination", "deliver_by", "body", "message_type"],
  optional: ["attempts", "timestamp"],
  forbidden: ["status", "received_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "body",
      topic: "destination",
      eventType: "message_type",
      attempts: "attempts",
      lockedBy: "owner_id",
      expiresAt: "deliver_by",
    },
    lifecycle: {
      kind: "rules",
      states: {
        waiting: { always: true },
        countsTries: true,
        claim: { marked: { not: { column: "owner_id", in: [0] } } },
      },
      verbs: plainVerbs(LIBRARY),
    },
    traps: [
      "An owner_id other than 0 is a node of wolverine_nodes. If that node is gone, another one takes the row over by itself.",
      "The body is Wolverine's binary envelope, and no row records its age.",
    ],
  },
};

export const wolverineIncoming: LibraryTable = {
  slug: "wolverine-incoming",
  library: LIBRARY,
  source: SOURCE,
  name: /wolverineincomingenvelopes$/,
  required: ["id", "status", "owner_id", "execution_time", "attempts", "body", "message_type", "received_at"],
  optional: ["keep_until", "timestamp"],
  kind: {
    role: "inbox",
    columns: { messageId: "id", consumer: "received_at", eventType: "message_type" },
    processed: { column: "status", in: ["Handled"] },
    failed: {
      all: [
        { column: "status", in: ["Incoming", "Scheduled"] },
        { column: "attempts", atLeast: 1 },
      ],
    },
  },
};

export const wolverineDeadLetters: LibraryTable = {
  slug: "wolverine-dead-letters",
  library: LIBRARY,
  source: SOURCE,
  name: /wolverinedeadletters$/,
  required: ["id", "body", "message_type", "exception_type", "exception_message", "replayable"],
  optional: ["execution_time", "received_at", "source", "sent_at", "expires"],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "body",
      eventType: "message_type",
      topic: "received_at",
      createdAt: "sent_at",
      lastError: "exception_message",
    },
    lifecycle: {
      kind: "rules",
      states: {
        dead: { not: { column: "replayable", is: "true" } },
        waiting: { column: "replayable", is: "true" },
      },
      verbs: {
        retry: {
          set: [{ column: "replayable", to: "true" }],
          does: "Replayable: Wolverine moves it back into wolverine_incoming_envelopes and handles it again.",
        },
        "dead-letter": {
          set: [{ column: "replayable", to: "false" }],
          does: "Not replayable: it stays here.",
        },
      },
    },
  },
};
