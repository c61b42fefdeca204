/** Has both of our schemas, store side and console side. */
export const MIGRATED_TEMPLATE = "outbox_console_template";
/** Postgres's own: no schema of ours, for tests that look at a foreign database. */
export const EMPTY_TEMPLATE = "template0";
