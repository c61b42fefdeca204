import type { Statement } from "./statement.ts";

export const DIALECTS = ["postgres", "mysql"] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface SqlResult {
  /**
   * Of a statement that answers with rows; otherwise empty. How many rows it has changed is not asked: drivers differ.
   */
  rows: readonly Record<string, unknown>[];
}

/**
 * State of a handle: `open: true` is an open transaction; `unknown` takes a statement to find out. `mayHaveEnded`: it
 * is a transaction's handle, which does not show its end.
 */
export type HandleState = { open: true; mayHaveEnded?: true } | { open: "unknown" } | { open: false; why: string };

export const OPEN: HandleState = { open: true };
export const BEGUN: HandleState = { open: true, mayHaveEnded: true };
export const UNKNOWN: HandleState = { open: "unknown" };
export const refused = (why: string): HandleState => ({ open: false, why });

/**
 * How one driver or ORM runs a statement. `Tx` is its handle inside a transaction, `Db` the one that begins one. To
 * serve another library, implement `run`, `stateOf` and `transaction`, and run `outboxContract` and `inboxContract`
 * over them.
 */
export interface Adapter<Tx, Db> {
  readonly name: string;
  readonly dialect: Dialect;
  /** Runs one statement on the transaction of `handle`, or on any connection when `handle` is a `Db`. */
  run(handle: Tx | Db, statement: Statement): Promise<SqlResult>;
  /** The method of a `Db` by which the library begins a transaction; what lacks it is refused with a sentence. */
  readonly begins?: string;
  /**
   * The library's root handle stands for a transaction within whose callback it is used, so `stateOf` may call it open.
   */
  readonly isAmbient?: true;
  /** Whether the handle is an open transaction, without asking the database. */
  stateOf(handle: unknown): HandleState;
  /** Runs `work` in a new transaction: commits when it resolves, rolls back when it rejects. */
  transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The library's own transaction within a transaction, where SAVEPOINT does not undo all of a failure: entities that
   * wait to be written, or an error that is kept to refuse the commit.
   */
  savepoint?<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T>;
}

export type TxOf<A> = A extends Adapter<infer Tx, infer _Db> ? Tx : never;
export type DbOf<A> = A extends Adapter<infer _Tx, infer Db> ? Db : never;
