import { ClientError } from "../errors.ts";
import type { Dialect } from "../sql/adapter.ts";
import { quoteName, quoteTable } from "../sql/names.ts";
import { type InboxLayout, inboxLayout } from "./layout.ts";

/** SQL of the recommended layout. The key recognises repeats; the index lists by time of arrival. */
export function inboxSchema({ table, columns }: InboxLayout, dialect: Dialect): string {
  const { columns: recommended } = inboxLayout({ table });
  if (JSON.stringify(columns) !== JSON.stringify(recommended))
    throw new ClientError(
      "invalid_input",
      "The columns were named by you: schema() prints the recommended layout only.",
    );
  const { raw: name } = quoteTable(table, dialect);
  const index = quoteName(`${table.split(".").at(-1)}_received_idx`, dialect);
  return dialect === "mysql" ? mysqlSchema(name, index) : postgresSchema(name, index);
}

function postgresSchema(name: string, index: string): string {
  return `CREATE TABLE ${name} (
  consumer text NOT NULL,
  message_id text NOT NULL,
  event_type text,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  processed_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  parked_at timestamptz,
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX ${index} ON ${name} (received_at DESC, message_id DESC);
`;
}

function mysqlSchema(name: string, index: string): string {
  return `CREATE TABLE ${name} (
  consumer varchar(255) NOT NULL,
  message_id varchar(255) NOT NULL,
  event_type varchar(255),
  received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  processed_at datetime(6),
  attempts int NOT NULL DEFAULT 0,
  last_error text,
  parked_at datetime(6),
  PRIMARY KEY (consumer, message_id),
  KEY ${index} (received_at, message_id)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
`;
}
