/** A replication slot for which the server keeps log, and which no relay of ours is known to read. */
export interface ForeignSlot {
  slot: string;
  /** The store's statement that drops the slot and releases its log. */
  dropStatement: string;
  active: boolean;
  lagBytes: number | null;
  walStatus: string | null;
  /** It is the one that the outbox's relay should read by its configuration. */
  own?: true;
}

/** A session of another program to which the server sends rows of the outbox's table from the log. */
export interface LogReader {
  slot: string;
  pid: number;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  connectedAt: string;
  /** Publications that name the table. */
  publications: string[];
}

export interface LogReaders {
  /** Only those whose publication names the table: one of all tables says nothing about this one. */
  readers: LogReader[];
  /** Slots that are read by sessions whose command could not be read. */
  hidden: string[];
}
