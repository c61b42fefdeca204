import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

const LIBRARY = "Sentry's hybrid cloud outboxes";
const SOURCE = "04099084; src/sentry/hybridcloud/models/outbox.py";
const REQUIRED = [
  "id",
  "shard_scope",
  "shard_identifier",
  "category",
  "object_identifier",
  "payload",
  "scheduled_from",
  "scheduled_for",
];

/** An attempt puts the whole shard off, from scheduled_from to scheduled_for; a row that remains has failed. */
const OUTBOX = {
  role: "outbox",
  columns: {
    id: "id",
    payload: "payload",
    eventType: "category",
    aggregateType: "shard_scope",
    aggregateId: "object_identifier",
    createdAt: "date_added",
    availableAt: "scheduled_for",
    order: "id",
  },
  lifecycle: {
    kind: "rules",
    states: {
      waiting: { always: true },
      failed: { column: "scheduled_for", isAfter: "scheduled_from", plusSeconds: 1 },
    },
    verbs: {
      retry: {
        set: [
          { column: "scheduled_for", to: "now" },
          { column: "scheduled_from", to: "now" },
        ],
        does: "Due now without a delay: Sentry then drains the whole shard.",
      },
      "dead-letter": MOVED_OUT,
    },
  },
  traps: [
    "Neither attempts nor errors are stored: the delay doubles at each attempt, up to one hour, and says how often it was tried.",
    "A row that fails holds up its whole shard. Of rows with equal shard, category and object only the newest is delivered.",
  ],
} satisfies OutboxOfLibrary;

export const sentryRegion: LibraryTable = {
  slug: "sentry-region",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: REQUIRED,
  optional: ["date_added"],
  forbidden: ["region_name", "cell_name"],
  kind: OUTBOX,
};

export const sentryControl: LibraryTable = {
  slug: "sentry-control",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [...REQUIRED, "region_name"],
  optional: ["date_added"],
  kind: { ...OUTBOX, columns: { ...OUTBOX.columns, topic: "region_name" } },
};
