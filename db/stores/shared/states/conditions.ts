import { type SQL, sql } from "drizzle-orm";

/**
 * Conditions that hold for every row and for none. Compared by identity, so that an impossible condition needs no
 * query.
 */
export const ALWAYS: SQL = sql`true`;
export const NEVER: SQL = sql`false`;

/** AND of the conditions. ALWAYS is omitted, so that the rest matches an index's predicate. */
export function all(...conditions: readonly SQL[]): SQL {
  const wanted = conditions.filter((condition) => condition !== ALWAYS);
  if (wanted.includes(NEVER)) return NEVER;
  const [first = ALWAYS] = wanted;
  return wanted.length <= 1 ? first : sql.join(wanted, sql` AND `);
}

/** OR of the conditions. */
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

/** Negation in which null counts as false, so it gives true for null. */
export function isNotTrue(condition: SQL): SQL {
  if (condition === NEVER) return ALWAYS;
  return condition === ALWAYS ? NEVER : sql`NOT coalesce(${condition}, false)`;
}

/** Adds parentheses for use after NOT or next to OR. */
export function grouped(condition: SQL): SQL {
  return condition === NEVER || condition === ALWAYS ? condition : sql`(${condition})`;
}

/** A count has reached a row's own limit. Programs write 0 or -1 for "no limit". */
export function atLimit(count: SQL, limit: SQL): SQL {
  return sql`(${count} >= ${limit} AND ${limit} > 0)`;
}

/** Negation in which null stays null. */
export function not(condition: SQL): SQL {
  if (condition === NEVER) return ALWAYS;
  return condition === ALWAYS ? NEVER : sql`NOT (${condition})`;
}

/** A value inlined into the statement, because it never varies. */
export function inlined<T>(value: T): SQL<T> {
  return sql<T>`${value}`.inlineParams();
}
