import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

const FAILED_QUEUE = { column: "queue_name", in: ["failed"] } as const;
/** On MySQL an acknowledged message gets this time first and is deleted later. */
const ACKNOWLEDGED = { column: "delivered_at", in: ["9999-12-31 23:59:59"] } as const;

/** delivered_at is the time of a claim. The failure transport is usually the queue `failed` of the same table. */
export const symfonyMessenger: LibraryTable = {
  slug: "symfony-messenger",
  library: "Symfony Messenger",
  source: "5feb7493c37; Bridge/Doctrine/Transport/Connection.php",
  name: /messengermessages/,
  required: ["id", "body", "headers", "queue_name", "created_at", "available_at", "delivered_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "body",
      headers: "headers",
      topic: "queue_name",
      createdAt: "created_at",
      availableAt: "available_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      shown: "queue_name",
      states: {
        published: ACKNOWLEDGED,
        dead: { all: [FAILED_QUEUE, { not: ACKNOWLEDGED }] },
        waiting: { all: [{ not: FAILED_QUEUE }, { not: ACKNOWLEDGED }] },
        claim: {
          marked: { all: [{ not: FAILED_QUEUE }, { column: "delivered_at", is: "set" }] },
          ends: { column: "delivered_at", plusSeconds: 3600 },
        },
      },
      verbs: {
        retry: {
          refuse:
            "The message itself says from which transport it came, and another failure there would lose it. Run messenger:failed:retry with its id in the application.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "A message that is claimed is delivered again after one hour, Messenger's default (redeliver_timeout); no row says it. A message that was handled is deleted.",
      "The queue failed counts as dead, as Messenger's failure transport has that name unless it is configured otherwise. Neither attempts nor errors are columns: they are inside the body.",
    ],
  },
};
