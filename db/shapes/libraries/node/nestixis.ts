import { epochMilliseconds } from "../epoch-milliseconds.ts";
import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

/** Rows are taken where ready_to_retry_after has passed; a null there is never due. Times are epoch milliseconds. */
export const nestixis: LibraryTable = {
  slug: "nestixis",
  library: "@nestixis/nestjs-inbox-outbox",
  source: "ec351fd; typeorm-driver/src/migrations/MigrationInboxOutbox1726154235704.ts, typeorm.database-driver.ts",
  name: /transportevent/,
  required: [
    "id",
    "event_name",
    "event_payload",
    "expire_at",
    "ready_to_retry_after",
    "inserted_at",
    "delived_to_listeners",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "event_payload",
      eventType: "event_name",
      createdAt: "inserted_at",
      availableAt: "ready_to_retry_after",
      expiresAt: "expire_at",
    },
    times: epochMilliseconds("inserted_at", "ready_to_retry_after", "expire_at"),
    lifecycle: {
      kind: "rules",
      states: { waiting: { column: "ready_to_retry_after", is: "set" } },
      verbs: {
        retry: {
          set: [{ column: "ready_to_retry_after", to: "now" }],
          does: "Due now: listeners that have not had it get it at the next poll.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "A row is deleted when every listener has had it. Neither attempts nor errors are stored.",
      "The library's text says that a row is not retried after expire_at, but the query of this version does not look at it.",
    ],
  },
};
