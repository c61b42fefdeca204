import type { StoreCapabilities } from "./capabilities.ts";
import type { CatalogTable } from "./catalog.ts";
import type { DatabaseUse, DoctorFinding } from "./doctor.ts";
import type { InboxMapping } from "./inbox-mapping.ts";
import type { InboxReader } from "./inbox-reader.ts";
import type { TableName } from "./mapping.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";
import type { OutboxActions } from "./outbox-actions.ts";
import type { OutboxReader } from "./outbox-reader.ts";
import type { OutboxRef } from "./outbox-ref.ts";
import type { OutboxWatch } from "./outbox-watch.ts";
import type { RelayTable } from "./relay/relay-table.ts";
import type { StoreRecords } from "./store-records.ts";

export interface StoreOptions {
  /** As the configuration names it. */
  name: string;
  url: string;
  /** For lists and details alone, never for health or guards. */
  readUrl?: string | undefined;
  /** Past a pooler, for what needs a session of its own. */
  directUrl?: string | undefined;
  /** Where to look for tables; everywhere but in the system's schemas and ours when left out. */
  schemas?: readonly string[] | undefined;
  /** How sessions name themselves. */
  applicationName: string;
}

export interface StoreCatalog {
  tables: CatalogTable[];
  /** Our own schema, against what this program expects. */
  ownSchema: "missing" | "older" | "current" | "newer";
  /** Mappings that were accepted, by outbox; none unless our schema is current. */
  accepted: Map<string, MappingFingerprint>;
}

/** Whether an outbox is only looked at, acted on by people, or published by us. */
export type AccessMode = "observe" | "operate" | "relay";

/** The log by which a relay notices messages. `mark`: what keeps a message's state; see RelayStream. */
export interface StreamOptions {
  /** By which name the server knows us as a reader. */
  reader: string;
  /** What the server gives its readers of this outbox, by its name. */
  feed: string;
  mark: "column" | "delete" | "none";
}

export interface RelayTableSettings {
  ordering: "aggregate" | "none";
  maxAttempts: number;
  /** What becomes of an aggregate when one of its messages is given up on. */
  onDead: "pass" | "hold";
  relayId: string;
  sinkName: string;
  /** Further columns to read, by the names that messages have them under. */
  fields: Readonly<Record<string, string>>;
  stream?: StreamOptions;
}

/** One database with outboxes and inboxes. It opens no connection before it is asked something. Throws StoreError. */
export interface Store {
  readonly name: string;
  /** As the configuration names it; see open-store.ts. */
  readonly kind: string;
  /** For people: host, port, database; no user, no password. */
  readonly address: string;
  readonly capabilities: StoreCapabilities;
  catalog(): Promise<StoreCatalog>;
  /** Whether it answers at all, within 3 s and whatever else it is asked meanwhile. */
  ping(): Promise<void>;
  /** Creates or updates our own schema. Throws ConfigError, saying what the user lacks. */
  migrate(): Promise<void>;
  outbox(ref: OutboxRef): OutboxStore;
  inbox(name: string, mapping: InboxMapping): InboxReader;
  readonly records: StoreRecords;
  /** Whom the store takes us for. */
  user(): Promise<string>;
  /** The statement that opens every row of a table to a user; to the user of the URL when none is named. */
  everyRowStatement(table: TableName, mode: AccessMode, user?: string): string;
  close(): Promise<void>;
}

export interface OutboxStore {
  readonly read: OutboxReader;
  readonly act: OutboxActions;
  readonly watch: OutboxWatch;
  /** The relay's side, with connections of its own. */
  openRelay(settings: RelayTableSettings): RelayTable;
  /** Permissions, and what a relay needs that reads the log, with the statements that give them. Changes nothing. */
  doctor(input: { mode: AccessMode; stream?: StreamOptions | undefined }): Promise<DoctorFinding[]>;
  /** Creates what a relay needs that reads the log, where it is missing; returns the statements that ran. Throws ConfigError. */
  createStream(stream: StreamOptions): Promise<string[]>;
}

/** What a kind of store brings. Loaded when the first store of the kind is opened. */
export interface StoreEngine {
  openStore(options: StoreOptions): Store;
  /** Whether each database takes the writes that it is opened for, and has connections enough. Changes nothing. */
  checkDatabases(uses: readonly DatabaseUse[]): Promise<DoctorFinding[]>;
}
