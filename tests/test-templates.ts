/** Contains both of our schemas, store side and console side. */
export const MIGRATED_TEMPLATE = "outbox_console_template";
/** Postgres' own template, without our schemas, for tests of a foreign database. */
export const EMPTY_TEMPLATE = "template0";
