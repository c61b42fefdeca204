import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "Rebus";

/** In Postgres a row is deleted as it is sent, whatever `Sent` says. The user chooses the table's name. */
export const rebus: LibraryTable = {
  slug: "rebus",
  library: LIBRARY,
  source: "Rebus.PostgreSql; PostgreSqlOutboxStorage.cs",
  name: /outbox/,
  required: ["Id", "CorrelationId", "MessageId", "SourceQueue", "DestinationAddress", "Headers", "Body", "Sent"],
  kind: {
    role: "outbox",
    columns: {
      id: "Id",
      payload: "Body",
      headers: "Headers",
      topic: "DestinationAddress",
      aggregateId: "CorrelationId",
      order: "Id",
    },
    lifecycle: { kind: "rules", states: { waiting: { always: true } }, verbs: plainVerbs(LIBRARY) },
    traps: ["No row records its age, and Rebus never writes Sent in Postgres."],
  },
};
