import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";

const REQUIRED = ["id", "listener_id", "event_type", "serialized_event", "publication_date", "completion_date"];
const COLUMNS = {
  id: "id",
  payload: "serialized_event",
  eventType: "event_type",
  topic: "listener_id",
  createdAt: "publication_date",
  publishedAt: "completion_date",
} satisfies OutboxOfLibrary["columns"];
const RESTART =
  "Only the application sends it again: call resubmitIncompletePublications of IncompleteEventPublications, or start it with spring.modulith.events.republish-outstanding-events-on-restart=true.";

const MAY_GO = "CompletedEventPublications.deletePublicationsOlderThan of the library deletes them.";

/** One row per event and listener. There is no failure in the row: a listener that throws leaves it incomplete. */
export const springModulith1: LibraryTable = {
  slug: "spring-modulith-1",
  library: "Spring Modulith",
  source: "event publication registry, v1 schema; fc0a547c, schemas/v1/schema-postgresql.sql",
  name: /^eventpublication$/,
  required: REQUIRED,
  forbidden: ["status", "completion_attempts"],
  kind: {
    role: "outbox",
    columns: COLUMNS,
    lifecycle: {
      kind: "rules",
      sentRowsMayGo: MAY_GO,
      states: {
        published: { column: "completion_date", is: "set" },
        waiting: { column: "completion_date", is: "null" },
      },
      verbs: {
        retry: { refuse: RESTART },
        "dead-letter": { moveOut: true, does: "Moved to the dead letters, where the application does not see it." },
      },
    },
    traps: [RESTART],
  },
};

export const springModulith2: LibraryTable = {
  slug: "spring-modulith-2",
  library: "Spring Modulith 2",
  source: "event publication registry, v2 schema; fc0a547c, schemas/v2, JdbcEventPublicationRepositoryV2.java",
  name: /^eventpublication$/,
  required: [...REQUIRED, "status", "completion_attempts", "last_resubmission_date"],
  kind: {
    role: "outbox",
    columns: { ...COLUMNS, attempts: "completion_attempts" },
    lifecycle: {
      kind: "rules",
      sentRowsMayGo: MAY_GO,
      shown: "status",
      states: {
        published: {
          any: [
            { column: "completion_date", is: "set" },
            { column: "status", in: ["COMPLETED"] },
          ],
        },
        waiting: {
          all: [
            { column: "completion_date", is: "null" },
            {
              any: [
                { column: "status", is: "null" },
                { column: "status", in: ["PUBLISHED", "PROCESSING", "RESUBMITTED", "FAILED"] },
              ],
            },
          ],
        },
        failed: { column: "status", in: ["FAILED"] },
        claim: { marked: { column: "status", in: ["PROCESSING", "RESUBMITTED"] } },
        countsTries: true,
      },
      verbs: {
        retry: {
          set: [{ column: "status", to: { word: "FAILED" } }],
          does: "Left as FAILED: the application sends it when it next resubmits by FailedEventPublications, and not before.",
        },
        "dead-letter": { moveOut: true, does: "Moved to the dead letters, where the application does not see it." },
      },
    },
    traps: [
      "Only the application sends a publication again: FailedEventPublications.resubmit takes those with status FAILED, and a start with spring.modulith.events.republish-outstanding-events-on-restart=true takes all.",
    ],
  },
};

/** Of both versions: the same columns as the live table, so that only the name tells them apart. */
export const springModulithArchive: LibraryTable = {
  slug: "spring-modulith-archive",
  library: "Spring Modulith",
  source: "fc0a547c; schemas/v1 and v2, schema-postgresql.sql",
  name: /^eventpublicationarchive$/,
  nameDecides: true,
  required: REQUIRED,
  optional: ["status", "completion_attempts", "last_resubmission_date"],
  kind: { role: "helper", reason: "publications that were completed, moved here by completion-mode=ARCHIVE" },
};
