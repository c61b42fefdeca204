import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "tomorrow-one transactional-outbox";

/** `processed` is a time. */
export const tomorrowOne: LibraryTable = {
  slug: "tomorrow-one",
  library: LIBRARY,
  source: "9544524; OutboxRecord.java, OutboxRepository.java",
  name: /outboxkafka$/,
  required: ["id", "created", "processed", "topic", "key", "value"],
  optional: ["headers"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "value",
      topic: "topic",
      aggregateId: "key",
      headers: "headers",
      createdAt: "created",
      publishedAt: "processed",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "processed", is: "set" },
        waiting: { column: "processed", is: "null" },
      },
      verbs: plainVerbs(LIBRARY),
    },
    traps: ["One processor sends all rows in the order of their ids: a row that fails holds up every later one."],
  },
};

export const tomorrowOneLock: LibraryTable = {
  slug: "tomorrow-one-lock",
  library: LIBRARY,
  source: "9544524; OutboxLock.java",
  name: /outboxkafkalock$/,
  nameDecides: true,
  required: ["id", "owner_id", "valid_until"],
  kind: { role: "helper", reason: "the lock of the one processor that sends" },
};
