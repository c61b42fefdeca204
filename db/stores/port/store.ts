import type { StoreCapabilities } from "./capabilities.ts";
import type { CatalogTable, NamedTable } from "./catalog.ts";
import type { DatabaseUse, DoctorFinding } from "./doctor.ts";
import type { OutboxHandover } from "./handover.ts";
import type { InboxMapping } from "./inbox-mapping.ts";
import type { InboxReader } from "./inbox-reader.ts";
import type { InboxRetention } from "./inbox-retention.ts";
import type { ItemFamily } from "./item-family.ts";
import type { TableName } from "./mapping.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";
import type { OutboxActions } from "./outbox-actions.ts";
import type { OutboxReader } from "./outbox-reader.ts";
import type { OutboxRef } from "./outbox-ref.ts";
import type { OutboxWatch } from "./outbox-watch.ts";
import type { RelayTable } from "./relay/relay-table.ts";
import type { OutboxPartitions, OutboxRetention } from "./retention.ts";
import type { OutboxStorage } from "./storage.ts";
import type { StoreRecords } from "./store-records.ts";

export interface StoreOptions {
  /** Name in the configuration. */
  name: string;
  url: string;
  /** Only for lists and details, never for health or guards. */
  readUrl?: string | undefined;
  /** URL that bypasses the pooler, for work that needs its own session. */
  directUrl?: string | undefined;
  /** Schemas to search for tables; default: all except the system's and ours. */
  schemas?: readonly string[] | undefined;
  /** `application_name` of our sessions. */
  applicationName: string;
  /** For a store without schemas: the database of our own tables, or a prefix of their names in the URL's database. */
  own?: { database: string } | { prefix: string } | undefined;
  /** For a store whose tables hold items of several kinds: its outboxes and inboxes by name. */
  families?: Readonly<Record<string, ItemFamily>> | undefined;
  /** Name of our own table, if the store keeps all our records in one. */
  ownTable?: string | undefined;
  /** Most connections of all relays of one process to the store; the default is in POOL_SIZES. */
  relayConnections?: number | undefined;
  /** For reads that are paid by the unit: most units that one process reads of the team's tables in a minute. */
  readUnitsPerMinute?: number | undefined;
}

export interface StoreCatalog {
  tables: CatalogTable[];
  /** State of our own schema, compared with what this program expects. */
  ownSchema: "missing" | "older" | "current" | "newer";
  /** Accepted mappings by outbox; empty unless our schema is current. */
  accepted: Map<string, MappingFingerprint>;
}

/** An outbox is observed only, also changed by operators, or also published by our relay. */
export type AccessMode = "observe" | "operate" | "relay";

/** The log that the relay reads. `mark`: what keeps a message's state; see RelayStream. */
export interface StreamOptions {
  /** Our name as a reader on the server, e.g. the slot. */
  reader: string;
  /** Name under which the server sends this outbox's changes, e.g. the publication. */
  feed: string;
  mark: "column" | "delete" | "none";
}

export interface RelayTableSettings {
  ordering: "aggregate" | "none";
  maxAttempts: number;
  /** What happens to an aggregate when one of its messages is dead: later messages pass, or are held. */
  onDead: "pass" | "hold";
  relayId: string;
  sinkName: string;
  /** Further columns to read, keyed by their names in `OutgoingMessage.fields`. */
  fields: Readonly<Record<string, string>>;
  stream?: StreamOptions;
}

export interface ReadUnits {
  /** Units read that still count; they are regained within a minute. */
  used: number;
  /** Most in a minute, by the configuration. */
  perMinute: number;
}

/** One database with outboxes and inboxes. Connects on first use. Throws StoreError. */
export interface Store {
  readonly name: string;
  /** Kind in the configuration; see open-store.ts. */
  readonly kind: string;
  /** For display: host, port, database; no user, no password. */
  readonly address: string;
  readonly capabilities: StoreCapabilities;
  /** `named`: tables that are read regardless of their names, so that their values are examined. */
  catalog(named?: readonly NamedTable[]): Promise<StoreCatalog>;
  /** Resolves if the store answers within 3 s, however busy the other connections are. */
  ping(): Promise<void>;
  /** Creates or updates our own schema. Throws ConfigError, with the GRANT if the database user lacks a right. */
  migrate(): Promise<void>;
  outbox(ref: OutboxRef): OutboxStore;
  inbox(name: string, mapping: InboxMapping): InboxReader;
  /** Null where the kind of store does not remove rows of inboxes. Needs our own schema. */
  inboxRetention(name: string, mapping: InboxMapping): InboxRetention | null;
  readonly records: StoreRecords;
  /** Capacity that this process has read of the team's tables; null where reads are not paid by the unit. */
  readUnits(): ReadUnits | null;
  /** The database user of our sessions. */
  user(): Promise<string>;
  /** Statement that exempts a user from row level security on a table; default: the user of the URL. */
  everyRowStatement(table: TableName, mode: AccessMode, user?: string): string;
  /** Statement that lets a user read a table; empty where the kind of store has none. */
  readGrant(table: TableName, user: string): string;
  close(): Promise<void>;
}

export interface OutboxStore {
  readonly read: OutboxReader;
  readonly act: OutboxActions;
  readonly watch: OutboxWatch;
  /** Null where the kind of store removes published rows itself; see StoreCapabilities.retention. */
  readonly retention: OutboxRetention | null;
  readonly storage: OutboxStorage;
  /** Null where the kind of store has no partitions that are managed here. */
  readonly partitions: OutboxPartitions | null;
  /** Null where the change to a publisher that reads the log, and back, is not done from here. */
  readonly handover: OutboxHandover | null;
  /** The relay's operations, with their own connections. */
  openRelay(settings: RelayTableSettings): RelayTable;
  /**
   * Checks permissions and, with `stream`, what reading the log needs; findings include the statements that fix them.
   * Changes nothing.
   */
  doctor(input: { mode: AccessMode; stream?: StreamOptions | undefined }): Promise<DoctorFinding[]>;
  /** Creates what reading the log needs, where it is missing; returns the statements executed. Throws ConfigError. */
  createStream(stream: StreamOptions): Promise<string[]>;
}

/** Implementation of one kind of store; loaded when the first store of the kind is opened. */
export interface StoreEngine {
  openStore(options: StoreOptions): Store;
  /** Checks that each database accepts the writes it is opened for and has enough connections. Changes nothing. */
  checkDatabases(uses: readonly DatabaseUse[]): Promise<DoctorFinding[]>;
}
