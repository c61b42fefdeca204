import { candidates, leftAlone } from "#db/shapes/candidates.ts";
import { recogniseInbox } from "#db/shapes/inbox/recognise-inbox.ts";
import { looksLikeOutbox } from "#db/shapes/recognise.ts";
import { leftFrom, shownWith } from "#db/shapes/tables-beside.ts";
import { type CatalogTable, type NamedTable, spellingsOf } from "#db/stores/port/catalog.ts";
import { changingKeyColumn } from "#db/stores/port/mapping.ts";
import type { StoreCatalog } from "#db/stores/port/store.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { toAppError } from "#domain/errors.ts";
import type { Config } from "../config/config-schema.ts";
import { discoveredOutboxConfig } from "../config/outbox-schema.ts";
import { rowSecurityRefusal } from "../outboxes/row-security.ts";
import type { InboxHandle, OutboxHandle, StoreTables } from "./handles.ts";
import type { KnownTables } from "./known-tables.ts";
import { resolveMapping } from "./resolve-mapping.ts";
import { silentSinceOf } from "./store-guard.ts";
import type { LazyStore, StoreHandle } from "./store-handle.ts";

interface ReadInput {
  config: Config;
  store: LazyStore;
  /** Names tables that are not configured. */
  known: KnownTables;
}

/** Reads one store's catalog and maps its tables. Never throws: errors come back as problems. */
export async function readStore(input: ReadInput): Promise<StoreTables> {
  const { config, store: door, known } = input;
  try {
    const asked = door
      .open()
      .then((store) => store.guard.ask(async () => ({ store, ...(await store.catalog(namedIn(config, store.name))) })));
    // In parallel, so that a hanging console side does not add to a hanging store.
    const [read] = await Promise.all([asked, known.ready()]);
    return mapTables({ config, known, ...read });
  } catch (error) {
    const told = toAppError(error);
    const { message } = told;
    const problem = { store: door.name, name: null, message, trouble: troubleOf(error), since: silentSinceOf(told) };
    return { ...nothing(), problems: [problem], inCatalog: new Set() };
  }
}

/** What the configuration names in a store. */
function namedIn({ outboxes, inboxes }: Config, store: string): NamedTable[] {
  const of = <Entry extends { store: string }>(entries: Record<string, Entry>) =>
    Object.values(entries).filter((entry) => entry.store === store);
  return [
    ...of(outboxes).map(({ table, columns }) => ({ table, as: "outbox" as const, columns })),
    ...of(inboxes).map(({ table }) => ({ table, as: "inbox" as const, columns: {} })),
  ];
}

const nothing = () => ({ outboxes: [], inboxes: [], problems: [], candidates: [], unmapped: [], leftAlone: [] });

interface MapInput extends StoreCatalog {
  config: Config;
  store: StoreHandle;
  known: KnownTables;
}

function mapTables(input: MapInput): StoreTables {
  const { config, store, tables, ownSchema } = input;
  const inCatalog = new Set(tables.map((table) => `${table.schema}.${table.name}`));
  const result: StoreTables = { ...nothing(), inCatalog };
  if (ownSchema === "newer") {
    result.problems.push({
      store: store.name,
      name: null,
      message: `The console's own tables in store ${store.name} are newer than this program: update Outbox Console.`,
      // Workers that were updated already publish.
      trouble: "refused",
    });
    return result;
  }
  const storeSide = ownSchema === "current";
  const taken = new Set<CatalogTable>();
  for (const [name, outbox] of ownEntries(config.outboxes, store)) {
    const table = findTable(tables, outbox.table);
    if (table) taken.add(table);
    addOutbox(result, {
      name,
      config: outbox,
      store,
      table,
      tables,
      storeSide,
      ownSchema,
      accepted: input.accepted.get(name) ?? null,
      operated: operatedIn(input),
      masking: config.masking,
    });
  }
  for (const [name, inbox] of ownEntries(config.inboxes, store)) {
    const table = findTable(tables, inbox.table);
    if (table) taken.add(table);
    addInbox(result, { name, config: inbox, store, table, tables });
  }
  if (config.discover) discover(result, { ...input, taken, storeSide });
  return result;
}

/**
 * True for a table whose mapping was once accepted, by whatever name the outbox had: before that the console acts on
 * none.
 */
function operatedIn({ accepted }: Pick<MapInput, "accepted">): (table: CatalogTable) => boolean {
  const places = new Set([...accepted.values()].map(({ table }) => `${table.schema}.${table.name}`));
  return ({ schema, name }) => places.has(`${schema}.${name}`);
}

function ownEntries<Entry extends { store: string }>(entries: Record<string, Entry>, store: StoreHandle) {
  return Object.entries(entries).filter(([, entry]) => entry.store === store.name);
}

function findTable(tables: readonly CatalogTable[], name: string): CatalogTable | undefined {
  const exact = tables.find((table) => spellingsOf(table).includes(name));
  return exact ?? tables.find((table) => spellingsOf(table).includes(name.replaceAll('"', "")));
}

/** Completes "The table … of outbox …". A view is none, and another schema may have a table of this name. */
function notFound(store: StoreHandle, tables: readonly CatalogTable[], name: string): string {
  const plain = name.replaceAll('"', "");
  const others = tables.filter((table) => table.name === plain).map((table) => `${table.schema}.${table.name}`);
  const hint = others.length > 0 ? ` Name it with its schema: there is ${others.join(", ")}.` : "";
  return `is not in store ${store.name}, or is a view, or its user may not see it.${hint}`;
}

function addOutbox(
  result: StoreTables,
  input: Pick<OutboxHandle, "name" | "config" | "store" | "storeSide" | "accepted" | "masking"> & {
    ownSchema: StoreCatalog["ownSchema"];
    table: CatalogTable | undefined;
    tables: CatalogTable[];
    operated: (table: CatalogTable) => boolean;
  },
): void {
  const { name, config, store, table, tables, storeSide, accepted, masking } = input;
  const fail = (message: string) => result.problems.push({ store: store.name, name, message });
  if (!table) {
    fail(`The table ${config.table} of outbox ${name} ${notFound(store, tables, config.table)}`);
    return;
  }
  const resolved = resolveMapping({ name, config, table, tables, accepted });
  if ("problem" in resolved) {
    fail(resolved.problem);
    result.unmapped.push({ name, config, store, catalog: table, tables: input.tables });
    return;
  }
  const keyless = resolved.mapping.primaryKey.length === 0 && resolved.stop?.code !== "mapping_changed";
  if (keyless && config.mode !== "observe") {
    fail(
      `The table ${config.table} of outbox ${name} has no primary key: it can be observed, but not acted on or relayed. Add one, or set mode: observe.`,
    );
    return;
  }
  const changing = changingKeyColumn(resolved.mapping);
  if (changing !== null && config.mode !== "observe") {
    fail(
      `The primary key of ${config.table} (outbox ${name}) contains ${changing}, so the id of a message changes when it is published: it can be observed, but not acted on or relayed. Take ${changing} out of the key, or set mode: observe.`,
    );
    return;
  }
  if (table.inheritedBy !== undefined && config.mode !== "observe") {
    fail(
      `${table.inheritedBy} inherits from ${config.table} (outbox ${name}): a key may be in both tables, and a row that leaves one could come back into the other, without its further columns. It can be observed, but not acted on or relayed. Make it partitions, name the tables that inherit as outboxes, or set mode: observe.`,
    );
    return;
  }
  if (table.rowSecurityOnWrite && config.mode !== "observe") {
    fail(rowSecurityRefusal(table, { outbox: name, statement: store.everyRowStatement(table, "operate") }));
    return;
  }
  result.outboxes.push({
    name,
    config,
    store,
    ...resolved,
    catalog: table,
    tables: input.tables,
    masking,
    storeSide: storeSide && config.mode !== "observe",
    ...(input.ownSchema === "older" && config.mode !== "observe" ? { ownTablesOlder: true } : {}),
    operatedBefore: config.mode === "observe" && input.operated(table),
  });
}

function addInbox(
  result: StoreTables,
  input: Pick<InboxHandle, "name" | "config" | "store"> & { table: CatalogTable | undefined; tables: CatalogTable[] },
): void {
  const { name, config, store, table } = input;
  const mapping = table ? recogniseInbox(table, config) : undefined;
  if (table && mapping) {
    result.inboxes.push({ name, config, store, mapping, catalog: table });
    return;
  }
  const message = table
    ? `The table ${config.table} of inbox ${name} has no primary key or no column that names a message.`
    : `The table ${config.table} of inbox ${name} ${notFound(store, input.tables, config.table)}`;
  result.problems.push({ store: store.name, name, message });
}

function discover(result: StoreTables, input: MapInput & { taken: Set<CatalogTable>; storeSide: boolean }): void {
  const { store, tables, taken, known } = input;
  const others: CatalogTable[] = [];
  const ignored = input.config.ignoredTables.flatMap((one) => (one.store === store.name ? [one.table] : []));
  const isIgnored = (table: CatalogTable) => ignored.some((spelling) => spellingsOf(table).includes(spelling));
  const isShown = (table: CatalogTable) => taken.has(table) || (!isIgnored(table) && looksLikeOutbox(table));
  const watched = new Set(known.list().map(({ kind, store, schema, table }) => `${kind} ${store} ${schema}.${table}`));
  // A fixed order, independent of the server's collation: if two tables want the same name, the first gets it.
  for (const table of tables.toSorted(byPlace)) {
    if (taken.has(table) || isIgnored(table)) continue;
    const qualified = `${table.schema}.${table.name}`;
    // One that was shown as an outbox before goes on: nobody would notice that its messages wait.
    const isKnown = watched.has(`outbox ${store.name} ${qualified}`);
    const parent = isKnown ? undefined : shownWith(table, tables, isShown);
    if (parent) {
      const reason = `${qualified} inherits from ${parent.schema}.${parent.name}, which shows its rows.`;
      result.leftAlone.push({ table: { schema: table.schema, name: table.name }, reason });
      continue;
    }
    const inbox = recogniseInbox(table);
    if (inbox) {
      const name = known.nameOf({ kind: "inbox", store: store.name, schema: table.schema, table: table.name });
      result.inboxes.push({
        name,
        config: { store: store.name, table: qualified },
        store,
        mapping: inbox,
        catalog: table,
      });
    } else if (looksLikeOutbox(table) && (isKnown || !leftFrom(table, tables))) {
      const name = known.nameOf({ kind: "outbox", store: store.name, schema: table.schema, table: table.name });
      addOutbox(result, {
        name,
        config: discoveredOutboxConfig(store.name, qualified),
        store,
        table,
        tables,
        storeSide: false,
        ownSchema: input.ownSchema,
        accepted: null,
        operated: operatedIn(input),
        masking: input.config.masking,
      });
    } else others.push(table);
  }
  for (const { catalog, ...candidate } of candidates(others, tables)) {
    const { schema, name: table } = candidate.table;
    const name = known.nameOf({ kind: "outbox", store: store.name, schema, table });
    const config = discoveredOutboxConfig(store.name, `${schema}.${table}`);
    result.candidates.push({ ...candidate, name, config, store, catalog, tables });
  }
  result.leftAlone.push(...leftAlone(others));
}

/** Sorts the default schema first, then by name. */
function byPlace(a: CatalogTable, b: CatalogTable): number {
  const place = ({ schema, name, inDefaultSchema }: CatalogTable) => `${inDefaultSchema ? "" : schema}\0${name}`;
  return place(a) < place(b) ? -1 : 1;
}
