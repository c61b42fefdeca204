import type { LibraryTable } from "../library-table-type.ts";

/** A row that was aborted counts as dead even if it is complete: the library neither sends nor deletes it. */
export const slimMessageBus: LibraryTable = {
  slug: "slimmessagebus",
  library: "SlimMessageBus",
  source: "d4330c48; PostgreSqlOutboxMigrationService.cs, PostgreSqlOutboxTemplate.cs",
  name: /smboutbox$/,
  required: [
    "id",
    "timestamp",
    "message_type",
    "message_payload",
    "lock_instance_id",
    "lock_expires_on",
    "delivery_attempt",
    "delivery_complete",
    "delivery_aborted",
  ],
  optional: ["bus_name", "headers", "path"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "message_payload",
      headers: "headers",
      eventType: "message_type",
      topic: "path",
      createdAt: "timestamp",
      attempts: "delivery_attempt",
      lockedBy: "lock_instance_id",
      lockedUntil: "lock_expires_on",
    },
    lifecycle: {
      kind: "rules",
      states: {
        dead: { column: "delivery_aborted", is: "true" },
        published: {
          all: [
            { column: "delivery_complete", is: "true" },
            { column: "delivery_aborted", is: "false" },
          ],
        },
        waiting: {
          all: [
            { column: "delivery_complete", is: "false" },
            { column: "delivery_aborted", is: "false" },
          ],
        },
        claim: {
          marked: {
            any: [
              {
                all: [{ column: "lock_instance_id", is: "set" }, { not: { column: "lock_instance_id", in: [""] } }],
              },
              { column: "lock_expires_on", is: "future" },
            ],
          },
          ends: { column: "lock_expires_on" },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "delivery_aborted", to: "false" },
            { column: "delivery_complete", to: "false" },
            { column: "delivery_attempt", to: { number: 0 } },
            { column: "lock_instance_id", to: { word: "" } },
            { column: "lock_expires_on", to: { word: "1970-01-01T00:00:00Z" } },
          ],
          does: "Not aborted and unlocked, with no attempts counted: the next poll sends it.",
        },
        "dead-letter": {
          set: [{ column: "delivery_aborted", to: "true" }],
          does: "Aborted: the library neither sends nor deletes it.",
        },
      },
    },
    traps: ["The library compares its locks with a time in UTC without a zone: let its sessions run in UTC."],
  },
};
