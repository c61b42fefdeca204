import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "Emmett";
const SOURCE = "6e308790; packages/emmett-postgresql/src/eventStore/schema/tables.ts";

export const emmett: LibraryTable = {
  slug: "emmett",
  library: LIBRARY,
  source: SOURCE,
  name: /emtmessages/,
  required: [
    "stream_position",
    "global_position",
    "transaction_id",
    "message_kind",
    "stream_id",
    "message_id",
    "message_type",
    "message_data",
  ],
  optional: ["created", "message_metadata", "is_archived", "partition", "message_schema_version"],
  kind: {
    role: "outbox",
    columns: {
      id: "global_position",
      payload: "message_data",
      headers: "message_metadata",
      aggregateId: "stream_id",
      eventType: "message_type",
      createdAt: "created",
      order: "global_position",
    },
    lifecycle: { kind: "untold", where: "the checkpoints of its processors, in the table emt_processors" },
    traps: ["The table is an event store: its rows stay, and are no backlog."],
  },
};

export const emmettProcessors: LibraryTable = {
  slug: "emmett-processors",
  library: LIBRARY,
  source: SOURCE,
  name: /emtprocessors/,
  nameDecides: true,
  required: ["processor_id", "partition", "last_processed_checkpoint"],
  optional: [
    "last_processed_transaction_id",
    "version",
    "status",
    "processor_instance_id",
    "created_at",
    "last_updated",
  ],
  kind: { role: "helper", reason: "it has the checkpoints of Emmett's processors" },
};

export const emmettStreams: LibraryTable = {
  slug: "emmett-streams",
  library: LIBRARY,
  source: SOURCE,
  name: /emtstreams/,
  nameDecides: true,
  required: ["stream_id", "stream_position", "partition"],
  optional: ["is_archived"],
  kind: { role: "helper", reason: "it has one row for each stream of Emmett, not its messages" },
};
