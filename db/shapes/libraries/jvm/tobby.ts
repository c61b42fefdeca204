import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "tobby";
const SOURCE = "87e8c54; migration-postgres/V1__record_table.sql, V2__kafka_sent_metadata.sql, RecordDAOGeneric.java";

export const tobby: LibraryTable = {
  slug: "tobby",
  library: LIBRARY,
  source: SOURCE,
  name: /ttorecord$/,
  required: ["idt_tto_record", "nam_topic", "ind_status", "txt_key", "txt_value", "dat_created", "dat_sent"],
  optional: ["num_partition", "ind_agent", "txt_headers", "num_sent_partition", "num_sent_offset"],
  kind: {
    role: "outbox",
    columns: {
      id: "idt_tto_record",
      payload: "txt_value",
      topic: "nam_topic",
      aggregateId: "txt_key",
      headers: "txt_headers",
      createdAt: "dat_created",
      publishedAt: "dat_sent",
    },
    lifecycle: {
      kind: "rules",
      shown: "ind_status",
      states: {
        published: { column: "ind_status", in: ["OK"] },
        waiting: { column: "ind_status", in: ["WAIT"] },
      },
      verbs: plainVerbs(LIBRARY),
    },
    traps: [
      "The replicator reads only rows of the last days, as it is configured; an older row that still waits is not sent.",
    ],
  },
};

export const tobbyProcessed: LibraryTable = {
  slug: "tobby-processed",
  library: LIBRARY,
  source: SOURCE,
  name: /ttorecordprocessed$/,
  required: ["idt_tto_record", "nam_topic", "ind_status", "txt_key", "txt_value"],
  optional: ["num_partition", "txt_headers", "dat_created"],
  forbidden: ["dat_sent"],
  kind: { role: "helper", reason: "records that were sent" },
};
