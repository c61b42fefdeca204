import { ClientError } from "../errors.ts";
import type { Dialect } from "../sql/adapter.ts";
import { quoteName, quoteTable } from "../sql/names.ts";
import { type InboxLayout, inboxLayout } from "./layout.ts";

/** SQL of the recommended layout. The key recognises repeats; the index lists by time of arrival. */
export function inboxSchema({ table, columns, numbers }: InboxLayout, dialect: Dialect): string {
  const { columns: recommended } = inboxLayout({ table, watchOrder: numbers !== null });
  if (JSON.stringify(columns) !== JSON.stringify(recommended))
    throw new ClientError(
      "invalid_input",
      "The columns were named by you: schema() prints the recommended layout only.",
    );
  const { raw: name } = quoteTable(table, dialect);
  const names = {
    name,
    received: quoteName(`${table.split(".").at(-1)}_received_idx`, dialect),
    sequence: quoteName(`${table.split(".").at(-1)}_sequence_idx`, dialect),
    isNumbered: numbers !== null,
  };
  return dialect === "mysql" ? mysqlSchema(names) : postgresSchema(names);
}

interface Names {
  name: string;
  received: string;
  sequence: string;
  isNumbered: boolean;
}

function postgresSchema({ name, received, sequence, isNumbered }: Names): string {
  const columns = "\n  aggregate_type text,\n  aggregate_id text,\n  sequence bigint,";
  const key = "(consumer, aggregate_type, aggregate_id, sequence)";
  return `CREATE TABLE ${name} (
  consumer text NOT NULL,
  message_id text NOT NULL,
  event_type text,${isNumbered ? columns : ""}
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  processed_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  parked_at timestamptz,
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX ${received} ON ${name} (received_at DESC, message_id DESC);
${isNumbered ? `CREATE INDEX ${sequence} ON ${name} ${key} WHERE sequence IS NOT NULL;\n` : ""}`;
}

function mysqlSchema({ name, received, sequence, isNumbered }: Names): string {
  // The longest that InnoDB's keys allow.
  const columns = "\n  aggregate_type varchar(190),\n  aggregate_id varchar(255),\n  sequence bigint,";
  const key = `,\n  KEY ${sequence} (consumer, aggregate_type, aggregate_id, sequence)`;
  return `CREATE TABLE ${name} (
  consumer varchar(255) NOT NULL,
  message_id varchar(255) NOT NULL,
  event_type varchar(255),${isNumbered ? columns : ""}
  received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  processed_at datetime(6),
  attempts int NOT NULL DEFAULT 0,
  last_error text,
  parked_at datetime(6),
  PRIMARY KEY (consumer, message_id),
  KEY ${received} (received_at, message_id)${isNumbered ? key : ""}
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
`;
}
