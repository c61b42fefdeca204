import type { LibraryCase } from "../library-case.fixture.ts";

export const emmettCase: LibraryCase = {
  slug: "emmett",
  ddl: {
    postgres: `CREATE SEQUENCE emt_global_message_position;
      CREATE TABLE emt_messages (stream_position bigint NOT NULL, global_position bigint DEFAULT nextval('emt_global_message_position'), transaction_id xid8 NOT NULL,
        created timestamptz NOT NULL DEFAULT now(), is_archived boolean NOT NULL DEFAULT false, message_kind varchar(1) NOT NULL DEFAULT 'E', stream_id text NOT NULL,
        partition text NOT NULL DEFAULT 'emt:default', message_schema_version text NOT NULL, message_id text NOT NULL, message_type text NOT NULL, message_data jsonb NOT NULL,
        message_metadata jsonb NOT NULL, PRIMARY KEY (stream_id, stream_position, partition, is_archived)) PARTITION BY LIST (partition);
      CREATE TABLE emt_messages_default PARTITION OF emt_messages DEFAULT;
      CREATE TABLE emt_processors (last_processed_transaction_id xid8 NOT NULL, version integer NOT NULL, processor_id text NOT NULL, partition text NOT NULL, status text NOT NULL,
        last_processed_checkpoint text NOT NULL, processor_instance_id text, created_at timestamptz NOT NULL DEFAULT now(), last_updated timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (processor_id, partition, version));
      CREATE TABLE emt_streams (stream_id text NOT NULL, stream_position bigint NOT NULL, partition text NOT NULL, stream_type text NOT NULL, stream_metadata jsonb NOT NULL,
        is_archived boolean NOT NULL DEFAULT false, PRIMARY KEY (stream_id, partition, is_archived))`,
  },
  table: "emt_messages",
  rows: [
    {
      key: ["order-1", "1", "emt:default", "false"],
      state: "unknown",
      insert: `INSERT INTO emt_messages (stream_position, transaction_id, stream_id, message_schema_version, message_id, message_type, message_data, message_metadata)
        VALUES (1, pg_current_xact_id(), 'order-1', '1', 'm-1', 'placed', '{}', '{}')`,
    },
  ],
  claims: null,
  refuses: { "dead-letter": /No row of this table says/ },
};
