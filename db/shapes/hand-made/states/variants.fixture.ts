import type { StatedTable } from "./stated-table.ts";

/** Another form of a table that says the same of each row. */
export interface Variant {
  what: string;
  /** Changes the table of the name in place. */
  sql(table: string): string;
  column(name: string): string;
  /** Tables that are at least recognised, and rows that are at least shown in their state. */
  recognised: number;
  states: number;
  /** Tried where everything runs. */
  likeAnother?: true;
}

type Least = Pick<Variant, "recognised" | "states" | "likeAnother">;

const same = (name: string) => name;

/** Runs for each column that the condition selects; `%1$I` is the table, `%2$I` the column, `%3$s` the value. */
const forColumns = (table: string, condition: string, statement: string, value = "NULL") => `DO $do$
  DECLARE one record;
  BEGIN
    FOR one IN SELECT a.attname AS name, ${value} AS value
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.oid = to_regclass($name$${quoted(table)}$name$) AND a.attnum > 0 AND NOT a.attisdropped AND ${condition}
    LOOP EXECUTE format($sql$${statement}$sql$, $name$${table}$name$, one.name, one.value); END LOOP;
  END $do$`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** What would keep a type from being changed. */
const freed = (table: string) => `DO $do$
  DECLARE one record;
  BEGIN
    FOR one IN SELECT format('DROP INDEX %I', i.relname) AS statement FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indrelid = to_regclass($name$${quoted(table)}$name$) AND x.indpred IS NOT NULL
      UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
        WHERE conrelid = to_regclass($name$${quoted(table)}$name$) AND contype = 'c'
    LOOP EXECUTE one.statement; END LOOP;
  END $do$`;

const BOOLEANS = "a.atttypid = 'boolean'::regtype AND a.attgenerated = ''";

const flagsAs = (what: string, [type, yes, no]: readonly [string, string, string], least: Least): Variant => ({
  ...least,
  what,
  column: same,
  sql: (table) =>
    [
      freed(table),
      forColumns(
        table,
        `${BOOLEANS} AND d.adbin IS NOT NULL`,
        `ALTER TABLE %1$I ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE ${type} USING CASE WHEN %2$I THEN ${yes} ELSE ${no} END, ALTER %2$I SET DEFAULT %3$s`,
        `CASE WHEN pg_get_expr(d.adbin, d.adrelid) = 'true' THEN $v$${yes}$v$ ELSE $v$${no}$v$ END`,
      ),
    ].join("; "),
});

const prefixed = (prefix: string, least: Least): Variant => ({
  ...least,
  what: `names that begin with ${prefix}`,
  column: (name) => `${prefix}${name}`,
  sql: (table) => forColumns(table, "true", `ALTER TABLE %1$I RENAME COLUMN %2$I TO "${prefix}%2$s"`),
});

export const VARIANTS: readonly Variant[] = [
  prefixed("col_", { recognised: 60, states: 203 }),
  prefixed("evt_", { recognised: 60, states: 203, likeAnother: true }),
  flagsAs("flags of 0 and 1", ["smallint", "1", "0"], { recognised: 60, states: 199, likeAnother: true }),
  flagsAs("flags of N and Y", ["char(1)", "'Y'", "'N'"], { recognised: 60, states: 193 }),
];

/** The truth of a table in another form. */
export function variantOf(truth: StatedTable, { column }: Variant): StatedTable {
  const named = (roles: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(roles).map(([role, name]) => [role, column(name)]));
  return { ...truth, roles: named(truth.roles), optional: named(truth.optional) };
}
