import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, status: string) =>
  `INSERT INTO tto_record (idt_tto_record, nam_topic, ind_status, txt_key, txt_value) VALUES ('${id}', 'orders', ${status}, 'k', '{}')`;

export const tobbyCase: LibraryCase = {
  slug: "tobby",
  ddl: {
    postgres: `CREATE TABLE tto_record (idt_tto_record varchar(36) PRIMARY KEY, nam_topic varchar(255), num_partition numeric(3,0), ind_status varchar(8), ind_agent varchar(8),
        txt_key text, txt_value text, txt_headers text, dat_created timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, dat_sent timestamp);
      CREATE TABLE tto_record_processed (idt_tto_record varchar(36) PRIMARY KEY, nam_topic varchar(255), num_partition numeric(20,0), ind_status varchar(4),
        txt_key text, txt_value text, txt_headers text, dat_created timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`,
  },
  table: "tto_record",
  beside: { tto_record_processed: "tobby-processed" },
  rows: [
    { key: "new", state: "pending", insert: insert("new", "'WAIT'") },
    { key: "sent", state: "published", insert: insert("sent", "'OK'") },
    { key: "unsaid", state: "unknown", insert: insert("unsaid", "NULL") },
  ],
  claims: "SELECT idt_tto_record FROM tto_record WHERE ind_status = 'WAIT'",
  takesRetried: "SELECT idt_tto_record FROM tto_record",
};
