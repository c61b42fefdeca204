import type { Candidate, LeftAlone } from "#db/shapes/candidates.ts";
import type { CatalogTable } from "#db/stores/port/catalog.ts";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { StoreTrouble } from "#db/stores/port/store-error.ts";
import type { InboxConfig } from "../config/inbox-schema.ts";
import type { MaskingConfig } from "../config/masking-schema.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import type { ResolvedMapping } from "./resolve-mapping.ts";
import type { StoreHandle } from "./store-handle.ts";

/** A table with the settings that it is read by, whether or not they give it a mapping. */
export interface MappedTable {
  name: string;
  config: OutboxConfig;
  store: StoreHandle;
  catalog: CatalogTable;
  /** Every table of the store, as it was read with this one. */
  tables: readonly CatalogTable[];
}

export interface OutboxHandle extends MappedTable, ResolvedMapping {
  /** Rules for showing its messages. */
  masking: MaskingConfig;
  /**
   * The store side exists in this program's version and the outbox is not observed only, so its records may be used.
   */
  storeSide: boolean;
  /** It is not observed only, and the store side is there as an earlier version of this program made it. */
  ownTablesOlder?: true;
  /** It is only observed, and the console acted on this table before: records about it are there and are not read. */
  operatedBefore: boolean;
}

export interface InboxHandle {
  name: string;
  config: InboxConfig;
  store: StoreHandle;
  mapping: InboxMapping;
  catalog: CatalogTable;
}

/** `name`: the outbox or inbox concerned; null for the whole store. */
export interface StoreProblem {
  store: string;
  name: string | null;
  message: string;
  /** Of an error of the whole store; relays may go on in spite of it. */
  trouble?: StoreTrouble | null;
  /** Time since which the store's database does not answer; null if it does. */
  since?: string | null;
}

export interface StoreTables {
  outboxes: OutboxHandle[];
  inboxes: InboxHandle[];
  problems: StoreProblem[];
  /** Tables that may be outboxes, likeliest first; a person has to decide. */
  candidates: (Candidate & MappedTable)[];
  /** Outboxes whose table exists and cannot be mapped; each has a problem. */
  unmapped: MappedTable[];
  /** Tables that resemble outboxes and are something else. */
  leftAlone: LeftAlone[];
  /** Every table in its catalog, as `schema.table`. */
  inCatalog: ReadonlySet<string>;
}
