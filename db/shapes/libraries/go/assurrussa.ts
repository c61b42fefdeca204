import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "assurrussa/outbox";

/** A new job is reserved until it is available. Only a claim reserves it for longer, and counts its attempt. */
export const assurrussa: LibraryTable = {
  slug: "assurrussa",
  library: LIBRARY,
  source: "a769874; backends/pgsql/migrations, repositories/jobsrepo/api.go, outbox/service.go",
  name: /jobs|outbox/,
  required: ["id", "queue", "name", "payload", "attempts", "reserved_at", "available_at"],
  optional: ["created_at"],
  forbidden: ["max_attempts", "run_at", "state", "failed_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "name",
      topic: "queue",
      attempts: "attempts",
      availableAt: "available_at",
      lockedUntil: "reserved_at",
      createdAt: "created_at",
    },
    lifecycle: {
      kind: "rules",
      states: {
        waiting: { always: true },
        claim: { marked: { column: "reserved_at", isAfter: "available_at" }, ends: { column: "reserved_at" } },
      },
      verbs: {
        retry: {
          set: [
            { column: "attempts", to: { number: 0 } },
            { column: "reserved_at", to: "now" },
            { column: "available_at", to: "now" },
          ],
          does: "Due now, reserved by nobody, with no attempts counted.",
        },
        "dead-letter": {
          moveTo: "jobs_failed",
          values: [
            { theirs: "id", value: { column: "id" } },
            { theirs: "job_id", value: { column: "id" } },
            { theirs: "connection", value: { word: "" } },
            { theirs: "queue", value: { column: "queue" } },
            { theirs: "name", value: { column: "name" } },
            { theirs: "payload", value: { column: "payload" } },
            { theirs: "reason", value: { word: "dead-lettered by an operator" } },
            { theirs: "exception", value: { word: "" } },
            { theirs: "failed_at", value: "now" },
            { theirs: "created_at", value: "now" },
          ],
          does: "Moved into jobs_failed, as the library does it after the last attempt.",
        },
      },
    },
    traps: [
      "On Postgres the library never takes a job whose reserved_at is null; it writes none itself.",
      "Each kind of job has its own limit of attempts, in the application.",
    ],
  },
};

export const assurrussaFailed: LibraryTable = {
  slug: "assurrussa-failed",
  library: LIBRARY,
  source: "a769874; backends/pgsql/migrations/00002",
  name: /jobsfailed|failedjobs|outbox/,
  required: ["id", "job_id", "queue", "name", "payload", "reason", "exception", "failed_at"],
  optional: ["created_at", "connection"],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "name",
      topic: "queue",
      lastError: "reason",
      createdAt: "created_at",
    },
    lifecycle: {
      kind: "rules",
      states: { dead: { always: true }, waiting: { not: { always: true } } },
      verbs: {
        retry: {
          moveTo: "jobs",
          values: [
            { theirs: "id", value: { column: "job_id" } },
            { theirs: "queue", value: { column: "queue" } },
            { theirs: "name", value: { column: "name" } },
            { theirs: "payload", value: { column: "payload" } },
            { theirs: "attempts", value: { number: 0 } },
            { theirs: "reserved_at", value: "now" },
            { theirs: "available_at", value: "now" },
            { theirs: "created_at", value: "now" },
          ],
          does: "Moved back into jobs, due now, with no attempts counted.",
        },
        "dead-letter": { refuse: "It is in the library's dead letters already." },
      },
    },
  },
};
