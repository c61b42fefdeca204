import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

const LIBRARY = "Watermill's SQL Pub/Sub";

/** On MySQL there is no transaction id. */
export const watermill: LibraryTable = {
  slug: "watermill",
  library: LIBRARY,
  source: "e26c90d; schema_adapter_postgresql.go, schema_adapter_mysql.go",
  name: /watermill/,
  required: ["offset", "uuid", "payload", "metadata"],
  optional: ["created_at", "transaction_id"],
  forbidden: ["acked"],
  kind: {
    role: "outbox",
    columns: { id: "offset", payload: "payload", headers: "metadata", createdAt: "created_at", order: "offset" },
    lifecycle: {
      kind: "untold",
      where: "the offsets of each consumer group, in the table watermill_offsets_ of the same topic",
    },
    traps: [
      "Each consumer group reads the table at its own place; a message that it does not accept holds up all later ones of the group.",
    ],
  },
};

export const watermillOffsets: LibraryTable = {
  slug: "watermill-offsets",
  library: LIBRARY,
  source: "e26c90d; offsets_adapter_postgresql.go, offsets_adapter_mysql.go",
  name: /watermilloffsets/,
  nameDecides: true,
  required: ["consumer_group", "offset_acked"],
  optional: ["last_processed_transaction_id", "offset_consumed"],
  kind: { role: "helper", reason: "it has the offsets of Watermill's consumer groups" },
};

export const watermillQueue: LibraryTable = {
  slug: "watermill-queue",
  library: "Watermill's SQL queue",
  source: "e26c90d; queue_schema_adapter_postgresql.go, queue_schema_adapter_mysql.go, delayed_mysql.go",
  name: /watermill/,
  required: ["offset", "uuid", "payload", "metadata", "acked"],
  optional: ["created_at", "delayed_until"],
  forbidden: ["transaction_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "offset",
      payload: "payload",
      headers: "metadata",
      createdAt: "created_at",
      order: "offset",
      availableAt: "delayed_until",
    },
    lifecycle: {
      kind: "rules",
      states: { published: { column: "acked", is: "true" }, waiting: { column: "acked", is: "false" } },
      verbs: {
        retry: {
          set: [
            { column: "acked", to: "false" },
            { column: "delayed_until", to: "null" },
          ],
          does: "Not acknowledged, with no delay: the subscriber takes it.",
        },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "A message that the subscriber does not accept is tried again for ever. Neither attempts nor errors are stored.",
      "On Postgres a delay is inside the metadata, so a delayed message looks due.",
    ],
  },
};
