import type { LibraryTable } from "../library-table-type.ts";

/** Tables of the course's services: payment_outbox, restaurant_approval_outbox, order_outbox. */
export const sagaCourse: LibraryTable = {
  slug: "saga-course",
  library: "the hexagonal saga course's outbox",
  source: "bd59970; order-container/src/main/resources/init-schema.sql",
  name: /outbox$/,
  required: ["id", "saga_id", "created_at", "processed_at", "type", "payload", "outbox_status", "version"],
  optional: ["saga_status", "order_status", "payment_status", "approval_status"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      aggregateId: "saga_id",
      eventType: "type",
      createdAt: "created_at",
      publishedAt: "processed_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "outbox_status",
      states: {
        published: { column: "outbox_status", in: ["COMPLETED"] },
        dead: { column: "outbox_status", in: ["FAILED"] },
        waiting: { column: "outbox_status", in: ["STARTED"] },
      },
      verbs: {
        retry: {
          set: [
            { column: "outbox_status", to: { word: "STARTED" } },
            { column: "version", to: "increment" },
          ],
          does: "STARTED: the scheduler sends it, if its saga is still at a step that it sends.",
        },
        "dead-letter": {
          set: [
            { column: "outbox_status", to: { word: "FAILED" } },
            { column: "version", to: "increment" },
          ],
          does: "FAILED: the scheduler leaves it alone.",
        },
      },
    },
    traps: [
      "The scheduler also looks at saga_status: a STARTED row whose saga has gone on is not sent.",
      "processed_at is the time at which the saga took its step, not the time of sending.",
    ],
  },
};
