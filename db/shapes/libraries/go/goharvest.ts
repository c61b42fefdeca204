import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

export const goharvest: LibraryTable = {
  slug: "goharvest",
  library: "goharvest",
  source: "1239a59; README.md, postgres.go",
  name: /outbox/,
  required: ["id", "create_time", "kafka_topic", "kafka_key", "kafka_value", "leader_id"],
  optional: ["kafka_header_keys", "kafka_header_values"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "kafka_value",
      aggregateId: "kafka_key",
      topic: "kafka_topic",
      createdAt: "create_time",
      lockedBy: "leader_id",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: { waiting: { always: true }, claim: { marked: { column: "leader_id", is: "set" } } },
      verbs: {
        retry: { set: [{ column: "leader_id", to: "null" }], does: "Taken by no leader: the leader sends it again." },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "Sent rows are deleted. A new leader takes the rows of an earlier one, so a row that an earlier leader holds needs no help.",
    ],
  },
};
