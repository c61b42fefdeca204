import { type SQL, sql } from "drizzle-orm";

/** What holds for every row, and for none. Conditions are compared with them by identity: who asks for nothing asks no table. */
export const ALWAYS: SQL = sql`true`;
export const NEVER: SQL = sql`false`;

/** All of them. What always holds is left out, so that the rest is what an index has. */
export function all(...conditions: readonly SQL[]): SQL {
  const wanted = conditions.filter((condition) => condition !== ALWAYS);
  if (wanted.includes(NEVER)) return NEVER;
  const [first = ALWAYS] = wanted;
  return wanted.length <= 1 ? first : sql.join(wanted, sql` AND `);
}

/** One of them at least. */
export function any(...conditions: readonly SQL[]): SQL {
  const wanted = conditions.filter((condition) => condition !== NEVER);
  if (wanted.includes(ALWAYS)) return ALWAYS;
  const [first = NEVER] = wanted;
  return wanted.length <= 1 ? first : sql`(${sql.join(wanted, sql` OR `)})`;
}

/** Null counts as false. */
export function isTrue(condition: SQL): SQL {
  return condition === NEVER || condition === ALWAYS ? condition : sql`coalesce(${condition}, false)`;
}

/** Null counts as false, so that its opposite is true. */
export function isNotTrue(condition: SQL): SQL {
  if (condition === NEVER) return ALWAYS;
  return condition === ALWAYS ? NEVER : sql`NOT coalesce(${condition}, false)`;
}

/** In parentheses, to stand behind NOT or beside OR. */
export function grouped(condition: SQL): SQL {
  return condition === NEVER || condition === ALWAYS ? condition : sql`(${condition})`;
}

/** Null stays null. */
export function not(condition: SQL): SQL {
  if (condition === NEVER) return ALWAYS;
  return condition === ALWAYS ? NEVER : sql`NOT (${condition})`;
}
