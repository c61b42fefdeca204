import { formatPlural } from "#domain/format.ts";

/** Rights that a database user lacks on one of our own tables. */
export interface TableRights {
  table: string;
  rights: readonly string[];
}

/** What the user may not do, as a clause, and the GRANTs that let him. */
export function lacksOnTables(
  lacking: readonly TableRights[],
  of: { user: string; account: string; place: string; quoted: (table: string) => string },
): { what: string; fix: string } {
  const each = lacking.map(({ table, rights }) => `${table} (${rights.join(", ")})`).join(", ");
  const grants = lacking.map(
    ({ table, rights }) => `GRANT ${rights.join(", ")} ON ${of.quoted(table)} TO ${of.account};`,
  );
  return {
    what: `${of.user} may not use ${formatPlural(lacking.length, "table")} of ${of.place} as it must: ${each}`,
    fix: grants.join("\n"),
  };
}
