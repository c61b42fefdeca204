import type { LibraryTable } from "../library-table-type.ts";

const KEEPS_FROM_REPEATS =
  "This row also keeps NServiceBus from handling the incoming message twice, so it stays in its table.";

/** One table per endpoint, whose name is the prefix. A row belongs to one incoming message. */
export const nServiceBus: LibraryTable = {
  slug: "nservicebus",
  library: "NServiceBus",
  source: "d1ecdeda; ScriptBuilder/Outbox/Create_PostgreSql.sql, Create_MySql.sql",
  name: /outboxdata$/,
  required: ["MessageId", "Dispatched", "DispatchedAt", "PersistenceVersion", "Operations"],
  kind: {
    role: "outbox",
    columns: { id: "MessageId", payload: "Operations", publishedAt: "DispatchedAt" },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "Dispatched", is: "true" },
        waiting: { column: "Dispatched", is: "false" },
      },
      verbs: {
        retry: {
          refuse:
            "NServiceBus sends these messages only when the same incoming message is delivered again: let the transport deliver it again.",
        },
        "dead-letter": { refuse: KEEPS_FROM_REPEATS },
        archive: { refuse: `${KEEPS_FROM_REPEATS} NServiceBus deletes it after its own time.` },
      },
    },
    traps: [
      "No row says when it was written. One that is not dispatched for minutes waits for its incoming message to come again.",
      "Operations are emptied once they are sent.",
    ],
  },
};
