/** MySQL hides no rows of a table: there is nothing to exempt a user from. */
export function everyRowSql(): string {
  return "-- MySQL and MariaDB have no row level security: a user who may read a table reads all of it.";
}
