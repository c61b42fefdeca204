/**
 * The values of a row in the order of its SELECT. By place and not by name, because settings of a library rename the
 * columns of each result: Kysely's CamelCasePlugin, `transform` of postgres.js, Knex' `postProcessResponse`. Some give
 * rows as lists.
 */
export function cells(row: object): readonly unknown[] {
  return Array.isArray(row) ? row : Object.values(row);
}
