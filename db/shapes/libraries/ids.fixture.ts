/** The nth of some uuids. */
export function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** An INSERT of SQL values by column. */
export function insertInto(table: string, values: Readonly<Record<string, string | number>>): string {
  return `INSERT INTO ${table} (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")})`;
}
