import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "OutboxKit";
const SOURCE = "dc2bbc4; samples and SelectForUpdateBatchFetcher.cs of PostgreSql and MySql";
const REQUIRED = ["Id", "Type", "Payload", "CreatedAt", "TraceContext"];
const FORBIDDEN = ["Status", "Attempts", "AggregateType", "AggregateId"];
const COLUMNS = { id: "Id", payload: "Payload", eventType: "Type", headers: "TraceContext", createdAt: "CreatedAt" };

/** The table is the team's own; these are the columns of the library's samples. */
export const outboxKit: LibraryTable = {
  slug: "outboxkit",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  required: [...REQUIRED, "ProcessedAt"],
  forbidden: FORBIDDEN,
  kind: {
    role: "outbox",
    columns: { ...COLUMNS, publishedAt: "ProcessedAt" },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "ProcessedAt", is: "set" },
        waiting: { column: "ProcessedAt", is: "null" },
      },
      verbs: plainVerbs(LIBRARY),
    },
  },
};

export const outboxKitDeleting: LibraryTable = {
  slug: "outboxkit-deleting",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  nameDecides: true,
  required: REQUIRED,
  forbidden: [...FORBIDDEN, "ProcessedAt"],
  kind: {
    role: "outbox",
    columns: COLUMNS,
    lifecycle: { kind: "rules", states: { waiting: { always: true } }, verbs: plainVerbs(LIBRARY) },
    traps: ["A row is deleted once it is sent, as the table has no ProcessedAt."],
  },
};
