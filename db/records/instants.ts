import { type SQL, sql } from "drizzle-orm";

export const NOW = sql`clock_timestamp()`;

/** RFC 3339 in UTC; the driver's own format depends on the session. */
export const instant = <Text extends string | null>(column: unknown) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` as SQL<Text>;
