import type { FactName } from "#domain/diagnosis/facts/store-facts.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { OutboxMapping } from "../port/mapping.ts";
import type { Store } from "../port/store.ts";

/** A table of the suites: how it marks a published message, and which other data its columns have. */
export interface Layout {
  name: string;
  lifecycle: "timestamp" | "status" | "flag" | "delete";
  /** Of a status: a new row has none. */
  bare?: true;
  /** Columns `attempts` and `last_error`; a message is dead from `DEAD_ATTEMPTS` on. */
  attempts: boolean;
  /** A second table of the same columns, into which archived rows move. */
  archiveTable: boolean;
}

/** Of layouts with `attempts`. */
export const DEAD_ATTEMPTS = 10;

export const LAYOUTS: readonly Layout[] = [
  { name: "timestamp", lifecycle: "timestamp", attempts: false, archiveTable: false },
  { name: "timestamp and attempts", lifecycle: "timestamp", attempts: true, archiveTable: false },
  { name: "status", lifecycle: "status", attempts: true, archiveTable: false },
  { name: "no status at first", lifecycle: "status", bare: true, attempts: true, archiveTable: false },
  { name: "flag", lifecycle: "flag", attempts: false, archiveTable: false },
  { name: "delete", lifecycle: "delete", attempts: false, archiveTable: false },
  { name: "outbox and archive tables", lifecycle: "timestamp", attempts: false, archiveTable: true },
];

export function byName(name: string): Layout {
  const layout = LAYOUTS.find((one) => one.name === name);
  if (!layout) throw new Error(`There is no layout ${name}.`);
  return layout;
}

/** Begins the reason of a skip that continuous integration accepts: the store has no such capability. */
export const BY_CAPABILITY = "by capability:";
export const NO_RELAY = `${BY_CAPABILITY} no relay of ours publishes from this engine`;
export const NO_ROW_LOCKS = `${BY_CAPABILITY} no session can lock a row of this engine`;
export const NO_WRITERS = `${BY_CAPABILITY} this engine does not tell which writers are at work`;
export const NO_COLUMNS = `${BY_CAPABILITY} tables of this engine have no columns to rename`;

/** The layouts that stores of the engine can have. */
export function layoutsOf({ archiveTables = true }: StoreUnderTest, layouts: readonly Layout[]): readonly Layout[] {
  return layouts.filter(({ archiveTable }) => archiveTables || !archiveTable);
}

/** For suites in which the layout changes nothing. */
export const PLAIN = byName("timestamp");

/** The two layouts that keep state most differently, for suites in which the layout matters little. */
export const CONTRASTS: readonly Layout[] = [byName("status"), byName("delete")];

/** The waiting rows are those without a value: every condition over a value has to have a case for it. */
export const BARE = byName("no status at first");

/** Both contrasts; with `oneContrast` only the one that the suite names. Suites name them in turn. */
export function contrastsOf({ oneContrast = false }: StoreUnderTest, one: "status" | "delete"): readonly Layout[] {
  return oneContrast ? [byName(one)] : CONTRASTS;
}

/**
 * States that a row can show without our records. A layout refuses a state that it cannot show: see `tellsNatively`.
 */
export type NativeState = "pending" | "failed" | "dead" | "published" | "expired" | "unknown";

/** The states that a layout's own columns can show. */
export function tellsNatively({ lifecycle, attempts }: Layout): NativeState[] {
  return [
    "pending",
    ...(attempts ? (["failed", "dead"] as const) : []),
    ...(lifecycle === "delete" ? [] : (["published"] as const)),
    ...(lifecycle === "status" ? (["expired", "unknown"] as const) : []),
  ];
}

/** A row as a producer writes it. Instants are RFC 3339. */
export interface NewRow {
  /** Encoded; a new one when left out. */
  id?: string;
  state?: NativeState;
  /** Null for a message without an aggregate; "a" when left out. */
  aggregateId?: string | null;
  /** "order.placed" when left out. */
  eventType?: string | null;
  /** JSON; '{"n":1}' when left out. */
  payload?: string;
  /** Now when left out. */
  createdAt?: string;
  /** Of a published row, where the layout keeps it; now when left out. */
  publishedAt?: string;
  /** Not to be sent before; at once when left out. */
  availableAt?: string;
}

export interface OutboxUnderTest {
  name: string;
  mapping: OutboxMapping;
  /**
   * Inserts rows in one transaction; returns encoded ids in the order given, which is the order of first deliveries.
   */
  insert(rows: readonly NewRow[]): Promise<string[]>;
  /**
   * Gives rows their places in the order now and writes them at `commit`; in an open transaction if the engine has one.
   */
  beginInsert(rows: readonly NewRow[]): Promise<{ ids: string[]; commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Inserts so many pending rows, and updates the table's statistics where the engine plans by them. */
  fill(count: number): Promise<void>;
  /** Locks one row as another program's transaction does. Absent where no session can. */
  lockRow?(id: string): Promise<{ release(): Promise<void> }>;
  /** Marks a row as published, or deletes it, as another relay does. */
  publishByOther(id: string): Promise<void>;
  /** Deletes a row, as a cleanup job does. */
  remove(id: string): Promise<void>;
  /** Changes something of a row that is neither sent nor part of its state, as another program does. */
  touch(id: string): Promise<void>;
  /** A row of the outbox, or of its archive table, exactly as stored: text by column; null when it is not there. */
  row(id: string, table?: "archive"): Promise<Record<string, string | null> | null>;
  /** Renames the column of the payload, as a deployment does. Absent where tables have no columns. */
  renamePayloadColumn?(): Promise<void>;
  /** Keeps rows from leaving the table, as another table's reference to them does. Absent where nothing can. */
  keepRows?(): Promise<void>;
  /** Locks the whole table, as a migration does. Absent where no session can. */
  lockTable?(): Promise<{ release(): Promise<void> }>;
  /** Makes a single fact of the watch unreadable, which the engine chooses. Absent with `factsTogether`. */
  withholdFact?(): Promise<{ fact: FactName; release(): Promise<void> }>;
}

export interface NewInboxRow {
  messageId: string;
  consumer?: string;
  receivedAt?: string;
  /** Null for a message that is received but not processed. */
  processedAt: string | null;
  /** For a table that has more than a time for it. */
  state?: "processed" | "unprocessed" | "failed";
}

/**
 * How an inbox records that a message was processed: by a time that may be null, a time that every row has, a time and
 * an error, a flag, a status, or not at all.
 */
export type InboxLayout = "time" | "always" | "error" | "flag" | "status" | "none";

export interface InboxUnderTest {
  name: string;
  mapping: InboxMapping;
  insert(rows: readonly NewInboxRow[]): Promise<void>;
}

/** Cuts the connections of the stores that were opened through it. */
interface Fault {
  /** True once the cut has happened. */
  struck(): boolean;
  /** No more cuts; connections work again. */
  clear(): void;
}

/** A separate database for one test, with our own schema in it. */
export interface DatabaseUnderTest {
  /** Another process' view of the database. Stores are closed by `drop`. */
  openStore(): Store;
  /**
   * Cuts all connections of stores once their `nth` statement (from 1, counted from now) has arrived: `before` it
   * reaches the database, or `after` the database has carried it out and before its answer comes back. Throws unless
   * the database was created to be cut.
   */
  cutAt(nth: number, when: CutSide): Fault;
  /**
   * Runs `work` once, between a store's next read and its next write. Absent if operators' acts and relays lock the
   * outbox, so that nothing can happen in between.
   */
  beforeNextWrite?(work: () => Promise<unknown>): void;
  /** Runs `work` once, before a store's next read of messages by their keys. Absent like `beforeNextWrite`. */
  beforeNextRead?(work: () => Promise<unknown>): void;
  /** Makes all claims older by this time. */
  backdateClaims(ms: number): Promise<void>;
  /** Makes the last heartbeat of each relay older by this time. */
  backdateHeartbeats(ms: number): Promise<void>;
  /**
   * Names for a reader of the log that no other database of the server uses; `drop` removes it. Unused without a log.
   */
  readonly stream: { reader: string; feed: string };
  createOutbox(layout: Layout): Promise<OutboxUnderTest>;
  createInbox(layout: InboxLayout): Promise<InboxUnderTest>;
  /** Fails when a store has left a connection open. */
  drop(): Promise<void>;
}

/** `cutAt` of a database that was not created to be cut. */
export function refuseToCut(): never {
  throw new Error("This database cannot be cut: create it with { cuttable: true }.");
}

export interface DatabaseOptions {
  /** Stores reach it through a proxy that can cut them, which takes a third of the processor time of a test. */
  cuttable?: boolean;
  /** Tests may use `beforeNextRead` and `beforeNextWrite`, if the engine has them. */
  interruptible?: boolean;
}

/** What an engine hands to the suites: real tables and rows in a real database. */
export interface StoreUnderTest {
  /** Name in the configuration, or the name of the server if one engine works with several. */
  kind: string;
  /** Layouts for suites in which each behaves differently. Of an engine's several servers, one runs all of them. */
  layouts: readonly Layout[];
  /** True: suites in which the layout matters little run with one contrast only, which they name in turn. */
  oneContrast?: boolean;
  /**
   * Skips repetitions that another engine covers: further layouts that change little, and cuts at each statement.
   * Postgres skips nothing in any run.
   */
  sparing?: boolean;
  /** False if our relay cannot publish, as in the capabilities of its stores. */
  relays?: boolean;
  /** False where the clock by which leases expire cannot be set. */
  endsTerms?: boolean;
  /** False where a team cannot have its own archive table. */
  archiveTables?: boolean;
  /** Number of rows that is too large to read for one page; default 400,000. */
  manyRows?: number;
  /** Number of failed rows that is too large for reads to pass; default 5,200. */
  manyBeside?: number;
  /** Largest payload of a row; default five megabytes. */
  largestPayloadBytes?: number;
  /** False where the store does not show which writers may still commit: the low-water mark then goes by time alone. */
  tellsWriters?: boolean;
  /** The log reports single rows, not transactions. */
  logOfRows?: boolean;
  /** False where a relay cannot read the log alone, without marks in the table. */
  relaysUnmarked?: boolean;
  /** The watch reads all its facts at once. */
  factsTogether?: boolean;
  createDatabase(options?: DatabaseOptions): Promise<DatabaseUnderTest>;
}

export type CutSide = "before" | "after";

/**
 * Where connections are cut around each statement: before it reaches the database, after it was carried out, or both.
 * A cut after a statement leaves the database as one before the next does.
 */
export const CUT_SIDES: readonly CutSide[] = EVERYTHING ? ["before", "after"] : ["after"];
