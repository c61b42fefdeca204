import type { StatedTable } from "../states/stated-table.ts";

/** A stated table with the team's own condition of rows that its relay would take. */
export interface ClaimedTable extends StatedTable {
  /** A SELECT of the key. `{now}` is the time. */
  claims: string;
  /** Name of the table. */
  name: string;
  /** A statement that empties the table and those whose rows it needs. */
  empties: string;
}

/** A stated table, with the statement that claims. */
export function claimed(table: StatedTable, claims: string): ClaimedTable {
  const written = [...table.insert.matchAll(/INSERT INTO (\S+)/g)].map((match) => match[1] ?? "");
  const claimedFrom = /FROM (\S+)/.exec(claims)?.[1] ?? "";
  return {
    ...table,
    claims,
    name: /^["`]/.test(claimedFrom) ? claimedFrom.slice(1, -1) : claimedFrom.toLowerCase(),
    empties: `TRUNCATE ${[...new Set(written)].join(", ")}`,
  };
}
