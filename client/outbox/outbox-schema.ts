import { ClientError } from "../errors.ts";
import type { Dialect } from "../sql/adapter.ts";
import { quoteName, quoteTable } from "../sql/names.ts";
import { type OutboxLayout, outboxLayout } from "./layout.ts";

/**
 * SQL of the recommended layout, which is what `npm start` shows and the console recognises. Each index serves one of
 * its readers: waiting events (the relay), the list by time, the events of one aggregate.
 */
export function outboxSchema({ table, columns }: OutboxLayout, dialect: Dialect): string {
  const { columns: recommended } = outboxLayout({ table });
  if (JSON.stringify(columns) !== JSON.stringify(recommended))
    throw new ClientError(
      "invalid_input",
      "The columns were named by you: schema() prints the recommended layout only.",
    );
  return dialect === "mysql" ? mysqlSchema(table) : postgresSchema(table);
}

function postgresSchema(table: string): string {
  const { raw: name } = quoteTable(table, "postgres");
  const index = (suffix: string) => quoteName(`${table.split(".").at(-1)}_${suffix}`, "postgres");
  return `CREATE TABLE ${name} (
  id uuid PRIMARY KEY,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  aggregate_type text NOT NULL,
  aggregate_id text,
  event_type text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  available_at timestamptz,
  published_at timestamptz
);
CREATE INDEX ${index("pending_idx")} ON ${name} (sequence) WHERE published_at IS NULL;
CREATE INDEX ${index("created_idx")} ON ${name} (created_at DESC, id DESC);
CREATE INDEX ${index("aggregate_idx")} ON ${name} (aggregate_id, created_at DESC);
`;
}

function mysqlSchema(table: string): string {
  const { raw: name } = quoteTable(table, "mysql");
  const index = (suffix: string) => quoteName(`${table.split(".").at(-1)}_${suffix}`, "mysql");
  return `CREATE TABLE ${name} (
  id char(36) NOT NULL PRIMARY KEY,
  sequence bigint NOT NULL AUTO_INCREMENT,
  aggregate_type varchar(255) NOT NULL,
  aggregate_id varchar(255),
  event_type varchar(255) NOT NULL,
  payload json NOT NULL,
  headers json,
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  available_at datetime(6),
  published_at datetime(6),
  UNIQUE KEY ${index("sequence_key")} (sequence),
  KEY ${index("pending_idx")} (published_at, sequence),
  KEY ${index("created_idx")} (created_at, id),
  KEY ${index("aggregate_idx")} (aggregate_id, created_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
`;
}
