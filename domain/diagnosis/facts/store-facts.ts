import type { ConnectorFacts, ConnectorSlot, FreshMarks, HidingSetting } from "./connector.ts";
import type { ConsumersFacts } from "./consumers.ts";
import type { ForeignSlot, LogReaders } from "./log-readers.ts";
import type {
  CountWithLatest,
  DeadGroup,
  ExpiredClaims,
  FailingHead,
  Orderless,
  UnknownWord,
  WaitingFacts,
} from "./messages.ts";
import type { RelayFacts } from "./relays.ts";
import type { LockHolder, OldTransaction } from "./sessions.ts";
import type { LeftBehind, MappingStop, NumberedColumn, PartitionFacts, RelayScans } from "./table.ts";

/** Why the database takes no writes. */
export interface NoWrites {
  /** Clause. */
  reason: string;
  /**
   * A heartbeat was tried in the silent relay's place, and `reason` is the server's answer. False: a setting says so.
   */
  tried: boolean;
  /** A relay still holds a lease: it runs, and only its heartbeat is known to be refused. */
  leased: boolean;
  /** True if the reason meets other writes as well, as a full disk does. */
  everywhere: boolean;
  /** The server lets nobody in any more: `reason` is why a new connection fails. Open ones still work. */
  refusesConnections?: true;
  /** What to do, where the reason needs another step than the usual ones; a sentence. */
  remedy?: string;
}

export interface MonitorFacts {
  alive: boolean;
  /** Null if the console's database does not say. */
  lastSeenAt: string | null;
  /** Sentence: why the console's own database cannot be read or written, which stops a monitor that runs. */
  problem: string | null;
}

export interface StoreFacts {
  /** Null if the mapping is not in doubt. */
  mappingStop: MappingStop | null;
  waiting: WaitingFacts;
  blocked: FailingHead[] | null;
  relays: RelayFacts | null;
  expiredClaims: ExpiredClaims | null;
  lockHolders: LockHolder[];
  /** Null if the database takes writes, or no relay of ours would write. */
  readOnly: NoWrites | null;
  oldTransactions: OldTransaction[];
  scheduledFar: CountWithLatest | null;
  /** Null where every message has a value in that column. */
  orderless: Orderless | null;
  clockSkew: CountWithLatest | null;
  unknownWords: UnknownWord[] | null;
  /** Null where no table is known to have been the outbox's and to hold messages that were not sent. */
  leftBehind: LeftBehind | null;
  relayScans: RelayScans | null;
  /** Null for a table that is not partitioned by ranges of one time. */
  partitions: PartitionFacts | null;
  numberedColumns: NumberedColumn[];
  dead: DeadGroup[] | null;
  foreignSlots: ForeignSlot[];
  /** Null where no connector publishes the outbox, or its slot has no known name. */
  connectorSlot: ConnectorSlot | null;
  /** Null where the store does not say which tables a reader of its log gets. */
  logReaders: LogReaders | null;
  /** Null where no connector publishes the outbox, or no column has the time of publication. */
  freshMarks: FreshMarks | null;
  /** Empty where no connector publishes the outbox. */
  hidingSettings: HidingSetting[];
  /** Waiting messages by event type, among the first `LOOKED_AT_WAITING`; null if the table has no type. */
  waitingByType: { eventType: string; messages: number }[] | null;
  /** Null if there is no console database to ask, or no monitor has ever run. */
  monitor: MonitorFacts | null;
  /** Null if no inbox of the outbox says within what time it processes messages. */
  consumers: ConsumersFacts | null;
  /** Null where no connector publishes the outbox. */
  connector: ConnectorFacts | null;
  /** The console's clock minus the database's. */
  consoleClock: { offsetMs: number };
}

export type FactName = keyof StoreFacts;
