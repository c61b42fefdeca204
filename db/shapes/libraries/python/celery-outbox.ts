import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "django-celery-outbox";
const SOURCE = "f05c76b; django_celery_outbox/models.py, relay.py, admin.py";
const MAX_RETRIES = 5;
const TASK = ["task_id", "task_name", "args", "kwargs", "options"];
const CONTEXT = ["sentry_trace_id", "sentry_baggage", "structlog_context"];
const KEPT = [...TASK, ...CONTEXT].map((name) => ({ theirs: name, value: { column: name } }));

/** A task that the relay has taken has updated_at and no retry_after; one that has failed has both. */
export const celeryOutbox: LibraryTable = {
  slug: "django-celery-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: ["id", "updated_at", "retries", "retry_after", ...TASK],
  optional: ["created_at", ...CONTEXT],
  forbidden: ["dead_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "args",
      headers: "options",
      eventType: "task_name",
      createdAt: "created_at",
      attempts: "retries",
      availableAt: "retry_after",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: {
        dead: { column: "retries", atLeast: MAX_RETRIES },
        waiting: { not: { column: "retries", atLeast: MAX_RETRIES } },
        claim: {
          marked: {
            all: [
              { column: "updated_at", is: "set" },
              { column: "retry_after", is: "null" },
            ],
          },
          ends: { column: "updated_at", plusSeconds: 300 },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "retries", to: { number: 0 } },
            { column: "retry_after", to: "null" },
            { column: "updated_at", to: "null" },
          ],
          does: "As new, with no retries counted, as the library's admin page does it.",
        },
        "dead-letter": {
          moveTo: "celery_outbox_dead_letter",
          values: [
            { theirs: "created_at", value: { column: "created_at" } },
            { theirs: "dead_at", value: "now" },
            { theirs: "retries", value: { column: "retries" } },
            ...KEPT,
            { theirs: "failure_reason", value: { word: "dead-lettered by an operator" } },
          ],
          does: "Moved into celery_outbox_dead_letter, as the relay does it after the last retry.",
        },
      },
    },
    traps: [
      "A task is given up after 5 retries, the relay's default (max_retries), and is then moved into celery_outbox_dead_letter.",
      "Tasks that were sent are deleted. No error is stored.",
    ],
  },
};

export const celeryOutboxDeadLetters: LibraryTable = {
  slug: "django-celery-outbox-dead-letters",
  library: LIBRARY,
  source: SOURCE,
  name: /deadletter/,
  required: ["id", "dead_at", ...TASK],
  optional: ["created_at", "retries", "failure_reason", ...CONTEXT],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "args",
      headers: "options",
      eventType: "task_name",
      createdAt: "created_at",
      attempts: "retries",
      lastError: "failure_reason",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: { dead: { always: true }, waiting: { not: { always: true } } },
      verbs: {
        retry: {
          moveTo: "celery_outbox",
          values: [{ theirs: "created_at", value: "now" }, { theirs: "retries", value: { number: 0 } }, ...KEPT],
          does: "Moved back into celery_outbox as a new row with no retries counted, as the library's admin page does it.",
        },
        "dead-letter": { refuse: "It is in the library's dead letters already." },
      },
    },
  },
};
