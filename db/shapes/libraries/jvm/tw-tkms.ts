import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "tw-tkms";
const BEHIND =
  "tw-tkms reads each partition from the earliest id that it keeps in tw_tkms_earliest_visible_messages, and would not see this row behind it. Insert a new row with the same message instead: it gets a new id.";

/** One table per shard and partition; a row is deleted once it is sent. */
export const twTkms: LibraryTable = {
  slug: "tw-tkms",
  library: LIBRARY,
  source: "1605c0c; docs/setup.md, docs/postgres_with_long_transactions.md",
  name: /^outgoingmessage\d+$/,
  nameDecides: true,
  required: ["id", "message"],
  kind: {
    role: "outbox",
    columns: { id: "id", payload: "message", order: "id" },
    lifecycle: {
      kind: "rules",
      states: { waiting: { always: true } },
      verbs: {
        ...plainVerbs(LIBRARY),
        "dead-letter": {
          moveOut: true,
          does: "Moved to the dead letters, where tw-tkms does not see it. It cannot be put back: insert its message as a new row instead.",
        },
        restore: { refuse: BEHIND },
      },
    },
    traps: ["The message is protobuf. A row is deleted once it is sent, and no row records its age."],
  },
};

export const twTkmsEarliest: LibraryTable = {
  slug: "tw-tkms-earliest",
  library: LIBRARY,
  source: "1605c0c; V3__earliest_visible_message.sql",
  name: /earliestvisiblemessages?$/,
  nameDecides: true,
  required: ["shard", "part", "message_id"],
  kind: { role: "helper", reason: "the id from which each partition is read" },
};
