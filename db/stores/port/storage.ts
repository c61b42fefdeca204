/** Space that a table takes, by the store's own figures. Null for a figure that this kind of store does not have. */
export interface TableSize {
  tableBytes: number | null;
  indexBytes: number | null;
  /** Long values that Postgres keeps apart. */
  toastBytes: number | null;
  totalBytes: number | null;
  rows: { value: number; precision: "exact" | "estimate" | "unknown" };
  /** Rows that were changed or removed and still take space. */
  deadRows: number | null;
  /** Last manual and last automatic run of the store's clean-up. */
  lastVacuumAt: string | null;
  lastAutovacuumAt: string | null;
}

export interface IndexUse {
  name: string;
  bytes: number | null;
  /** Reads since `since`; null where the store does not count them. */
  scans: number | null;
  isUnique: boolean;
  isValid: boolean;
}

/** A session, prepared transaction or slot that blocks the clean-up of removed rows or holds a lock on the table. */
export interface StorageHolder {
  kind: "session" | "prepared" | "slot";
  /** `old rows`, or the mode of its lock. */
  holds: string;
  pid: number | null;
  name: string;
  user: string | null;
  state: string | null;
  /** Without literals, at most 200 characters. */
  query: string | null;
  sinceAt: string | null;
  ageSeconds: number | null;
  /** Transactions begun since; null where that is not counted. */
  transactions: number | null;
  /** To copy, never run here. */
  cancelSql: string | null;
  endSql: string | null;
}

export interface StorageSlot {
  name: string;
  isOurs: boolean;
  isActive: boolean;
  pid: number | null;
  /** Log that the server keeps for it. */
  keptBytes: number | null;
  /** Most that the server may keep; null without a limit. */
  limitBytes: number | null;
  walStatus: string | null;
}

export interface PartitionUse {
  name: string;
  /** Bounds of a range as the catalog prints them; null for the default partition. */
  from: string | null;
  to: string | null;
  bytes: number;
  rows: number | null;
  isDefault: boolean;
  /** It is being detached: rows for its range are refused until that is finished. */
  isDetaching: boolean;
  /** Where its range lies: past, the current one, or still to come. */
  place: "past" | "current" | "ahead" | "default";
}

export interface PartitionReading {
  /** The column of the ranges. */
  column: string;
  /** Earliest first, then the default partition. */
  partitions: PartitionUse[];
  /** Partitions that follow the current one without a gap. */
  ahead: number;
  /** Time until inserts have no partition but the default one, by the first gap; null if there is no end. */
  runwaySeconds: number | null;
  /** Approximate rows in the default partition; null without one. */
  defaultRows: number | null;
  /** A program that creates and drops partitions itself, e.g. pg_partman; null if none was found. */
  managedBy: string | null;
}

/** A figure that only one kind of store has. `value` is for people. */
export interface EngineFigure {
  label: string;
  value: string;
  note: string | null;
}

export interface StorageReading {
  size: TableSize;
  /** Largest first. */
  indexes: IndexUse[];
  /** Since when scans of indexes are counted; null if the store does not say it. */
  countedSince: string | null;
  /** Oldest first. */
  holders: StorageHolder[];
  slots: StorageSlot[];
  /** Null for a table that is not partitioned by ranges of time. */
  partitions: PartitionReading | null;
  figures: EngineFigure[];
  /** Sentences: figures that this kind of store, or its user, cannot read. */
  unsaid: string[];
}

export interface OutboxStorage {
  /** Reads catalogs and statistics, never the rows. Throws StoreError. */
  read(): Promise<StorageReading>;
}
