import type { SQL } from "drizzle-orm";
import type { MappedColumn, PendingWord } from "../../port/mapping.ts";
import type { ColumnConditions } from "./compile-condition.ts";

/** An engine's SQL conditions over one column of an outbox's row. */
export interface RowConditions extends ColumnConditions {
  /** Condition: none of the words; or null, unless a null is among them. */
  isNotIn(column: MappedColumn, words: readonly PendingWord[]): SQL;
  /** The count of attempts, null as 0. A column that is never null is not wrapped, so that an index serves it. */
  attempts(column: MappedColumn): SQL<number>;
  /** The time until which something lasts: a number beyond the year 9999 means never. */
  deadline(column: MappedColumn): SQL;
  /** The column's time, later by so many seconds or by those in another column. */
  later(column: MappedColumn, plusSeconds: number | MappedColumn): SQL;
}
