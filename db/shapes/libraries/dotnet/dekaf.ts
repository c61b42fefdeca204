import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "Dekaf";
const SOURCE = "b294b56e0; Dekaf.Outbox.EntityFrameworkCore/OutboxEntities.cs, docs/producer/outbox.md";

/** A row is deleted once it is sent. */
export const dekaf: LibraryTable = {
  slug: "dekaf",
  library: LIBRARY,
  source: SOURCE,
  name: /dekafoutboxmessages?$/,
  required: ["Id", "MessageId", "Bucket", "Topic", "Key", "Value", "Headers", "CreatedAtUtc"],
  optional: ["Partition"],
  kind: {
    role: "outbox",
    columns: {
      id: "Id",
      payload: "Value",
      topic: "Topic",
      aggregateId: "Key",
      headers: "Headers",
      createdAt: "CreatedAtUtc",
      order: "Id",
    },
    lifecycle: { kind: "rules", states: { waiting: { always: true } }, verbs: plainVerbs(LIBRARY) },
    traps: ["Each bucket is sent in the order of Id: a message that the broker refuses holds up its bucket."],
  },
};

export const dekafLeases: LibraryTable = {
  slug: "dekaf-leases",
  library: LIBRARY,
  source: SOURCE,
  name: /dekafoutboxleases?$/,
  nameDecides: true,
  required: ["Bucket", "Owner", "ExpiresAtUtc"],
  kind: { role: "helper", reason: "which relay sends which bucket" },
};

export const dekafRelays: LibraryTable = {
  slug: "dekaf-relays",
  library: LIBRARY,
  source: SOURCE,
  name: /dekafoutboxrelays?$/,
  nameDecides: true,
  required: ["RelayId", "LastSeenUtc"],
  kind: { role: "helper", reason: "the relays with their last sign of life" },
};
