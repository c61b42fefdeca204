import type { LibraryTable } from "../library-table-type.ts";
import { movedOut } from "../plain-verbs.ts";

const LIBRARY = "CAP";
const SOURCE = "e52b8508; IStorageInitializer and IDataStorage of PostgreSql and MySql, CAP.Options.cs";
/** Its first two versions lack `Version`. */
const COLUMNS = ["Id", "Name", "Content", "Retries", "Added", "ExpiresAt", "StatusName"];

/** In the schema `cap` of Postgres; in MySQL the name has a dot in it. A failed row is tried until 50 retries. */
export const cap: LibraryTable = {
  slug: "cap",
  library: LIBRARY,
  source: SOURCE,
  name: /^(cap)?published$/,
  required: COLUMNS,
  optional: ["Version"],
  forbidden: ["Group"],
  kind: {
    role: "outbox",
    columns: {
      id: "Id",
      payload: "Content",
      eventType: "Name",
      topic: "Name",
      createdAt: "Added",
      attempts: "Retries",
    },
    lifecycle: {
      kind: "rules",
      shown: "StatusName",
      states: {
        published: { column: "StatusName", in: ["Succeeded"] },
        dead: {
          all: [
            { column: "StatusName", in: ["Failed"] },
            { column: "Retries", atLeast: 50 },
          ],
        },
        waiting: {
          any: [
            { column: "StatusName", in: ["Scheduled", "Queued", "Delayed"] },
            {
              all: [
                { column: "StatusName", in: ["Failed"] },
                { column: "Retries", is: "set" },
                { not: { column: "Retries", atLeast: 50 } },
              ],
            },
          ],
        },
        failed: { column: "StatusName", in: ["Failed"] },
        countsTries: true,
        claim: {
          marked: { column: "StatusName", in: ["Queued"] },
          ends: { column: "ExpiresAt", plusSeconds: 60 },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "StatusName", to: { word: "Scheduled" } },
            { column: "Retries", to: { number: 0 } },
            { column: "ExpiresAt", to: "null" },
          ],
          does: "Scheduled with no retries counted: CAP's retry takes it at its next run, once it is 4 minutes old.",
        },
        "dead-letter": movedOut(LIBRARY),
      },
    },
    traps: [
      "A failed row with 50 retries is dead by CAP's default; FailedRetryCount sets another number, and a higher one makes such rows live again.",
      "CAP deletes a failed row when its ExpiresAt has passed, 15 days after Added by default: dead messages disappear.",
      "Times are those of the application's own time zone: set timeZone if it is not UTC.",
      "The ExpiresAt of a Delayed row is the time at which it is due.",
    ],
  },
};

export const capReceived: LibraryTable = {
  slug: "cap-received",
  library: LIBRARY,
  source: SOURCE,
  name: /^(cap)?received$/,
  required: [...COLUMNS, "Group"],
  optional: ["Version"],
  kind: {
    role: "inbox",
    columns: { messageId: "Id", consumer: "Group", eventType: "Name", receivedAt: "Added" },
    processed: { column: "StatusName", in: ["Succeeded"] },
    failed: { column: "StatusName", in: ["Failed"] },
    traps: ["CAP deletes a failed message 15 days after it came, by default."],
  },
};

export const capLock: LibraryTable = {
  slug: "cap-lock",
  library: LIBRARY,
  source: SOURCE,
  name: /^(cap)?lock$/,
  nameDecides: true,
  required: ["Key", "Instance", "LastLockTime"],
  kind: { role: "helper", reason: "the locks of CAP's retries" },
};
