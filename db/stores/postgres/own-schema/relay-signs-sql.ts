import { instantText } from "../tables/mapping-sql.ts";

/** Columns of relay_instance on routes, foreign publishers, the host clock and a pending settle. */
export const RELAY_SIGNS_SQL = `routes, foreign_published::float8 AS "foreignPublished", foreign_unclaimed::float8 AS "foreignUnclaimed",
  ${instantText("foreign_since")} AS "foreignSince", ${instantText("foreign_last_at")} AS "foreignLastAt",
  clock_offset_ms AS "clockOffsetMs", ${instantText("settling_since")} AS "settlingSince"`;
