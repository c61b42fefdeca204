export const DATABASE = "shop";
export const TABLE = "outbox_events";
/** The account of relays and operators, with the documented grants. */
export const RELAY_USER = "outbox_console";

/** The run's outbox table, the writers' aggregates, and their ledger of committed messages. */
export const DDL = `
CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4;
USE ${DATABASE};
CREATE TABLE ${TABLE} (
  id char(36) NOT NULL PRIMARY KEY, seq bigint NOT NULL AUTO_INCREMENT UNIQUE, aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL,
  event_type varchar(100) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  available_at datetime(6), published_at datetime(6), KEY outbox_pending (published_at, seq));
CREATE TABLE chaos_aggregate (id varchar(100) PRIMARY KEY, version int NOT NULL DEFAULT 0);
CREATE TABLE chaos_ledger (id char(36) PRIMARY KEY, seq bigint NOT NULL, aggregate varchar(100) NOT NULL, n int NOT NULL, scheduled tinyint(1) NOT NULL)`;

/** As docs/stores.md lists them; our own tables must be there. */
export const GRANTS = `
CREATE USER ${RELAY_USER}@'%';
GRANT SELECT ON ${DATABASE}.* TO ${RELAY_USER}@'%';
GRANT PROCESS, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO ${RELAY_USER}@'%';
GRANT SELECT ON performance_schema.* TO ${RELAY_USER}@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON ${DATABASE}.${TABLE} TO ${RELAY_USER}@'%';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, REFERENCES ON outbox_console.* TO ${RELAY_USER}@'%'`;
