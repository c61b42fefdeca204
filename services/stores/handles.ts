import type { CatalogTable } from "#db/stores/port/catalog.ts";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxConfig } from "../config/inbox-schema.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import type { ResolvedMapping } from "./resolve-mapping.ts";
import type { StoreHandle } from "./store-handle.ts";

export interface OutboxHandle extends ResolvedMapping {
  name: string;
  config: OutboxConfig;
  store: StoreHandle;
  catalog: CatalogTable;
  /** The store side is there and of this program's version: what it keeps may be read and written. */
  storeSide: boolean;
}

export interface InboxHandle {
  name: string;
  config: InboxConfig;
  store: StoreHandle;
  mapping: InboxMapping;
  catalog: CatalogTable;
}

/** `name` is the outbox or inbox concerned, null when it is the whole store. */
export interface StoreProblem {
  store: string;
  name: string | null;
  message: string;
}

export interface StoreTables {
  outboxes: OutboxHandle[];
  inboxes: InboxHandle[];
  problems: StoreProblem[];
  /** Every table in its catalog, as `schema.table`. */
  inCatalog: ReadonlySet<string>;
}
