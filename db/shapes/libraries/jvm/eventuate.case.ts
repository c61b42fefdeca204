import type { LibraryCase } from "../library-case.fixture.ts";

const columns = "id, destination, headers, payload, published, message_partition, creation_time";
const insert = (id: string, published: string) =>
  `INSERT INTO message (${columns}) VALUES ('${id}', 'orders', '{"event-type":"placed"}', '{}', ${published}, 0, 1767225600000)`;

export const eventuateCase: LibraryCase = {
  slug: "eventuate",
  ddl: {
    postgres: `CREATE TABLE message (id varchar(1000) PRIMARY KEY, destination text NOT NULL, headers text NOT NULL, payload text NOT NULL,
        published smallint DEFAULT 0, message_partition smallint, creation_time bigint);
      CREATE TABLE received_messages (consumer_id varchar(1000), message_id varchar(1000), creation_time bigint, published smallint DEFAULT 0, PRIMARY KEY (consumer_id, message_id));
      CREATE TABLE offset_store (client_name varchar(255) NOT NULL PRIMARY KEY, serialized_offset varchar(255));
      CREATE TABLE cdc_monitoring (reader_id varchar(1000) PRIMARY KEY, last_time bigint)`,
    mysql: `CREATE TABLE message (id varchar(255) PRIMARY KEY, destination longtext NOT NULL, headers longtext NOT NULL, payload longtext NOT NULL,
        published smallint DEFAULT 0, message_partition smallint, creation_time bigint);
      CREATE TABLE received_messages (consumer_id varchar(255), message_id varchar(255), creation_time bigint, published smallint DEFAULT 0, PRIMARY KEY (consumer_id, message_id))`,
  },
  table: "message",
  beside: {
    received_messages: "eventuate-received",
    offset_store: "eventuate-offsets",
    cdc_monitoring: "eventuate-monitoring",
  },
  rows: [
    { key: "new", state: "pending", insert: insert("new", "0") },
    { key: "sent", state: "published", insert: insert("sent", "1") },
    { key: "unsaid", state: "unknown", insert: insert("unsaid", "NULL") },
  ],
  claims: "SELECT id FROM message WHERE published = 0",
  takesRetried: "SELECT id FROM message",
};

const insertDbId = (id: number, published: string) =>
  `INSERT INTO message (dbid, ${columns}) VALUES (${id}, NULL, 'orders', '{}', '{}', ${published}, 0, 1767225600000)`;

export const eventuateDbIdCase: LibraryCase = {
  slug: "eventuate-dbid",
  ddl: {
    postgres: `CREATE TABLE message (dbid bigserial PRIMARY KEY, id varchar(1000), destination text NOT NULL, headers text NOT NULL, payload text NOT NULL,
      published smallint DEFAULT 0, message_partition smallint, creation_time bigint)`,
    mysql: `CREATE TABLE message (dbid bigint PRIMARY KEY AUTO_INCREMENT, id varchar(255), destination longtext NOT NULL, headers longtext NOT NULL,
      payload longtext NOT NULL, published smallint DEFAULT 0, message_partition smallint, creation_time bigint)`,
  },
  table: "message",
  rows: [
    { key: "1", state: "pending", insert: insertDbId(1, "0") },
    { key: "2", state: "published", insert: insertDbId(2, "1") },
  ],
  claims: "SELECT dbid FROM message WHERE published = 0",
};
