import type { LibraryCase } from "../library-case.fixture.ts";

export const eventDrivenIoCase: LibraryCase = {
  slug: "event-driven-io",
  ddl: {
    postgres: `CREATE TABLE outbox (position bigserial PRIMARY KEY, publication_id varchar(250) NOT NULL, message_id varchar(250) NOT NULL, message_type varchar(250) NOT NULL,
      data jsonb NOT NULL, scheduled timestamptz NOT NULL DEFAULT now(), transaction_id xid8 NOT NULL)`,
  },
  table: "outbox",
  rows: [
    {
      key: "1",
      state: "unknown",
      insert: "INSERT INTO outbox VALUES (1, 'shop', 'm-1', 'placed', '{}', now(), pg_current_xact_id())",
    },
  ],
  claims: null,
  refuses: { "dead-letter": /No row of this table says/ },
};
