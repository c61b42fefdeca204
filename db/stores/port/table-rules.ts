/**
 * A condition over one row of a table. It is true or not true: a null makes a comparison not true, and `not` turns
 * every condition that is not true into a true one. Columns are names in a library's file, and columns of the table in
 * a mapping.
 */
export type Condition<Column> =
  | { always: true }
  /** `filled`: text that is not empty. */
  | { column: Column; is: "null" | "set" | "true" | "false" | "filled" }
  | { column: Column; in: readonly (string | number)[] }
  | { column: Column; atLeast: number }
  /** A count that has reached the limit in another column; a limit of 0 or below is none. */
  | { column: Column; atLimit: Column }
  /** A time column, compared with the database's clock, later by `plusSeconds`. */
  | { column: Column; is: "past" | "future"; plusSeconds?: number }
  /** A time column, later than another one by more than `plusSeconds`. */
  | { column: Column; isAfter: Column; plusSeconds?: number }
  | { all: readonly Condition<Column>[] }
  | { any: readonly Condition<Column>[] }
  | { not: Condition<Column> };

/**
 * The state of a row, as the program that owns the table sees it. The first that holds, in the order of
 * `domain/message/message-state.ts`; a row that none describes is `unknown`. No condition but `expired` and a claim's depends
 * on the time, so that an index can serve it.
 */
export interface StateRules<Column> {
  /** Still to be sent: pending, in flight, or failed and to be tried again. */
  waiting: Condition<Column>;
  dead?: Condition<Column>;
  published?: Condition<Column>;
  /** The row exists and will never be sent: its time has passed, or a person discarded it. */
  expired?: Condition<Column>;
  /** Waiting with a failed attempt. `attempts` above 0 counts as well, unless the owner counts tries that succeed. */
  failed?: Condition<Column>;
  countsTries?: true;
  /** Waiting, and taken by a publisher. */
  claim?: ClaimRule<Column>;
}

export interface ClaimRule<Column> {
  marked: Condition<Column>;
  /**
   * The time at which the claim ends is that of the column, later by `plusSeconds` or by the seconds in another column.
   * Without it a claim has no end. `nullIsEndless`: nor has one whose column is null; it is no claim otherwise.
   * `lapses`: at its end the row is free, and no claim is left behind.
   */
  ends?: { column: Column; plusSeconds?: number; plusSecondsOf?: Column; nullIsEndless?: true; lapses?: true };
}

/** What a statement writes into a column. */
export type NewValue =
  | "null"
  | "now"
  | "true"
  | "false"
  /** One more than it was; 1 if it was null. */
  | "increment"
  | { word: string }
  | { number: number }
  | { secondsFromNow: number };

/** The changes that an action makes to a row, and the sentence that describes them. */
export type VerbRule<Column, Table> =
  | {
      set: readonly { column: Column; to: NewValue }[];
      /** Rows of another table that the owner keeps for this one, where `theirs` equals this row's `ours`. */
      deleteFrom?: { table: Table; theirs: Column; ours: Column };
      does: string;
    }
  /** The row is deleted here and inserted into another table of the owner: its columns, from this row's or new. */
  | { moveTo: Table; values: readonly { theirs: Column; value: { column: Column } | NewValue }[]; does: string }
  /** The row is moved into our own dead letters, where the owner does not see it. */
  | { moveOut: true; does: string }
  /** A sentence: why not, and what to do instead. */
  | { refuse: string };

/** `archive` and `restore` can only be refused. */
export interface VerbRules<Column, Table> {
  retry: VerbRule<Column, Table>;
  "dead-letter": VerbRule<Column, Table>;
  archive?: { refuse: string };
  restore?: { refuse: string };
}

/** Every column that a condition names. */
export function columnsOfCondition<Column>(condition: Condition<Column>): Column[] {
  if ("all" in condition) return condition.all.flatMap(columnsOfCondition);
  if ("any" in condition) return condition.any.flatMap(columnsOfCondition);
  if ("not" in condition) return columnsOfCondition(condition.not);
  if ("isAfter" in condition) return [condition.column, condition.isAfter];
  if ("atLimit" in condition) return [condition.column, condition.atLimit];
  return "column" in condition ? [condition.column] : [];
}

export function columnsOfClaim<Column>({ marked, ends }: ClaimRule<Column>): Column[] {
  const until = ends ? [ends.column, ...(ends.plusSecondsOf === undefined ? [] : [ends.plusSecondsOf])] : [];
  return [...columnsOfCondition(marked), ...until];
}

/** Columns that have the same single value in every row that meets the condition. */
export function valuedColumns<Column>(condition: Condition<Column>): Column[] {
  if ("all" in condition) return condition.all.flatMap(valuedColumns);
  if ("in" in condition) return condition.in.length === 1 ? [condition.column] : [];
  const isOne = "is" in condition && ["null", "true", "false"].includes(condition.is);
  return isOne ? [condition.column] : [];
}

/** The same condition over other columns. */
export function mapCondition<From, To>(condition: Condition<From>, to: (column: From) => To): Condition<To> {
  if ("all" in condition) return { all: condition.all.map((one) => mapCondition(one, to)) };
  if ("any" in condition) return { any: condition.any.map((one) => mapCondition(one, to)) };
  if ("not" in condition) return { not: mapCondition(condition.not, to) };
  if ("isAfter" in condition) return { ...condition, column: to(condition.column), isAfter: to(condition.isAfter) };
  if ("atLimit" in condition) return { column: to(condition.column), atLimit: to(condition.atLimit) };
  return "column" in condition ? { ...condition, column: to(condition.column) } : condition;
}

/** True if `attempts` above 0 means that an attempt has failed. */
export function countsFailures({ states }: { states: StateRules<unknown> }, columns: { attempts?: unknown }): boolean {
  return columns.attempts !== undefined && states.countsTries !== true;
}
