import { createHash } from "node:crypto";
import type { KnownTableRow, ObservedTable, TableKey } from "#db/records/known-tables.ts";
import type { Records } from "#db/records/records.ts";
import type { Config } from "../config/config-schema.ts";
import { delay } from "../delay.ts";
import type { InboxHandle, OutboxHandle, StoreTables } from "./handles.ts";
import type { StoreGuard } from "./store-guard.ts";

/** How often the rows are reloaded: another console may have forgotten one. */
const RELOAD_MS = 60_000;
/** How often a table's `last_seen_at` is updated. */
const SEEN_EVERY_MS = 3_600_000;
/** How long a new table is not yet counted as known while another one is missing, which it may be under another name. */
const RENAMED_MS = 10 * 60_000;
/** How long the first read of the catalogs waits for the stored names, ms. */
const LOAD_WAIT_MS = 1_500;

export interface KnownTable extends KnownTableRow {
  /** When this process last wrote its row; null if the row is outdated or missing. */
  writtenMs: number | null;
}

/**
 * Outboxes and inboxes seen at least once, and the names of discovered ones. Stored in the console's database; kept in
 * memory while that does not answer, or if there is none.
 */
export class KnownTables {
  readonly #config: Config;
  readonly #records: Records | null;
  readonly #guard: StoreGuard | null;
  readonly #entries = new Map<string, KnownTable>();
  /** Names of discovered tables, including those that could not be mapped. */
  readonly #names = new Map<string, string>();
  #dropped = 0;
  #loadedMs: number | null = null;
  #loading: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: { config: Config; records: Records | null; guard: StoreGuard | null }) {
    this.#config = options.config;
    this.#records = options.records;
    this.#guard = options.guard;
  }

  /** Known tables that the configuration still covers. */
  list(): KnownTable[] {
    return [...this.#entries.values()].filter((entry) => isWanted(this.#config, entry));
  }

  /** False until the first read of the rows has ended, successfully or not. */
  get wasRead(): boolean {
    return !this.#records || this.#loadedMs !== null;
  }

  /** Reloads the rows if they are older than a minute. Only the very first read is awaited. */
  async ready(): Promise<void> {
    if (!this.#records || (this.#loadedMs !== null && performance.now() < this.#loadedMs + RELOAD_MS)) return;
    const first = this.#loadedMs === null;
    this.#loading ??= this.#load().finally(() => {
      this.#loadedMs = performance.now();
      this.#loading = null;
    });
    if (first) await Promise.race([this.#loading, delay(LOAD_WAIT_MS)]);
  }

  /**
   * The name of a discovered table. An earlier name is kept. In the first store it is the table's own name, elsewhere
   * it begins with the store's name; so it depends neither on which store answers first nor on what others hold.
   */
  nameOf(table: TableKey): string {
    const key = keyOf(table);
    const had = this.#names.get(key);
    if (had !== undefined && !this.#isConfigured(had)) return had;
    const taken = new Set([...this.#names].filter(([other]) => other !== key).map(([, name]) => name));
    const isFree = (name: string) => !taken.has(name) && !this.#isConfigured(name);
    const candidates = namesFor(table, table.store === Object.keys(this.#config.stores)[0]);
    const name = candidates.find(isFree) ?? `${candidates.at(-1)?.slice(0, 54)}-${shortHash(key)}`;
    this.#names.set(key, name);
    return name;
  }

  /** Records which tables a store's catalog shows and which are missing. */
  observe(store: string, tables: StoreTables): void {
    const there = new Map(
      [
        ...tables.outboxes.map((handle) => outboxEntry(this.#config, handle)),
        ...tables.inboxes.map((handle) => inboxEntry(this.#config, handle)),
      ].map((entry) => [keyOf(entry), entry]),
    );
    const now = new Date().toISOString();
    const changed: ObservedTable[] = [];
    const away = this.#lostLately(store, there);
    for (const [key, table] of there) {
      const before = this.#entries.get(key);
      // It may be one of those under another name, for a moment.
      if (!before && !table.configured && away.has(table.kind)) continue;
      const same = before && before.missingSince === null && isSame(before, table);
      const writtenMs = same ? before.writtenMs : null;
      const fresh = writtenMs !== null && performance.now() < writtenMs + SEEN_EVERY_MS;
      this.#entries.set(key, { ...table, lastSeenAt: now, missingSince: null, writtenMs });
      if (!same || !fresh) changed.push({ ...table, missing: false });
    }
    for (const [key, entry] of this.#entries) {
      if (entry.store !== store || there.has(key)) continue;
      if (entry.missingSince !== null && entry.writtenMs !== null) continue;
      this.#entries.set(key, { ...entry, missingSince: entry.missingSince ?? now, writtenMs: null });
      changed.push({ ...entry, missing: true });
    }
    if (changed.length > 0) this.#write(changed);
  }

  /** Kinds of which a table of this store is missing that was there a few minutes ago. */
  #lostLately(store: string, there: ReadonlyMap<string, unknown>): Set<TableKey["kind"]> {
    const lost = this.list().filter(
      ({ missingSince, ...entry }) =>
        entry.store === store &&
        !there.has(keyOf(entry)) &&
        (missingSince === null || Date.now() - Date.parse(missingSince) < RENAMED_MS),
    );
    return new Set(lost.map(({ kind }) => kind));
  }

  /** Number of tables dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Drops one from memory, with its name. */
  drop(table: TableKey): void {
    this.#dropped += 1;
    this.#entries.delete(keyOf(table));
    this.#names.delete(keyOf(table));
  }

  /** Waits for pending reads and writes. */
  async settle(): Promise<void> {
    await Promise.all([this.#writing, this.#loading]);
  }

  #isConfigured(name: string): boolean {
    return Object.hasOwn(this.#config.outboxes, name) || Object.hasOwn(this.#config.inboxes, name);
  }

  async #load(): Promise<void> {
    const records = this.#records;
    if (!records || !this.#guard) return;
    // On failure (silent, not migrated, not permitted) memory is used until a read succeeds.
    const rows = await this.#guard.ask(() => records.knownTables()).catch(() => null);
    if (rows) this.#takeIn(rows);
  }

  #takeIn(rows: readonly KnownTableRow[]): void {
    const kept = new Set(rows.map(keyOf));
    for (const [key, entry] of this.#entries)
      if (entry.writtenMs !== null && entry.missingSince !== null && !kept.has(key)) this.drop(entry);
    for (const row of rows) {
      const key = keyOf(row);
      const before = this.#entries.get(key);
      if (!before) this.#entries.set(key, { ...row, writtenMs: Number.NEGATIVE_INFINITY });
      else if (before.missingSince !== null)
        this.#entries.set(key, { ...before, missingSince: row.missingSince ?? before.missingSince });
      const taken = [...this.#names.values()].includes(row.name) || this.#isConfigured(row.name);
      if (!row.configured && isWanted(this.#config, row) && !this.#names.has(key) && !taken)
        this.#names.set(key, row.name);
    }
  }

  #write(tables: readonly ObservedTable[]): void {
    const records = this.#records;
    const guard = this.#guard;
    if (!records || !guard) return;
    this.#writing = this.#writing.then(async () => {
      try {
        await guard.ask(() => records.observeTables(tables));
        for (const table of tables) {
          const entry = this.#entries.get(keyOf(table));
          if (entry) this.#entries.set(keyOf(table), { ...entry, writtenMs: performance.now() });
        }
      } catch {
        // Retried at the next read of the catalog: unwritten tables count as changed.
      }
    });
  }
}

/** False if the configuration no longer covers the table: its store or entry was removed, or discovery switched off. */
function isWanted(config: Config, table: KnownTableRow): boolean {
  if (!Object.hasOwn(config.stores, table.store)) return false;
  const configured = table.kind === "outbox" ? config.outboxes : config.inboxes;
  return table.configured ? Object.hasOwn(configured, table.name) : config.discover;
}

function outboxEntry(config: Config, handle: OutboxHandle): KnownTableRow {
  const { schema, name: table } = handle.mapping.table;
  const configured = Object.hasOwn(config.outboxes, handle.name);
  return newEntry({ kind: "outbox", store: handle.store.name, schema, table }, handle, configured, handle.config.mode);
}

function inboxEntry(config: Config, handle: InboxHandle): KnownTableRow {
  const { schema, name: table } = handle.mapping.table;
  const configured = Object.hasOwn(config.inboxes, handle.name);
  return newEntry({ kind: "inbox", store: handle.store.name, schema, table }, handle, configured, "observe");
}

function newEntry(key: TableKey, { name }: { name: string }, configured: boolean, mode: string): KnownTableRow {
  return { ...key, name, configured, mode, lastSeenAt: new Date().toISOString(), missingSince: null };
}

function isSame(a: KnownTableRow, b: KnownTableRow): boolean {
  return a.name === b.name && a.mode === b.mode && a.configured === b.configured;
}

function keyOf({ kind, store, schema, table }: TableKey): string {
  return JSON.stringify([kind, store, schema, table]);
}

/** Candidate names in the allowed characters, best first. */
function namesFor({ store, schema, table }: TableKey, first: boolean): string[] {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9_-]/g, "-")
      .replace(/^[-_]+/, "") || "outbox";
  const own = [table, ...(schema === "public" ? [] : [`${schema}-${table}`])];
  return [...(first ? own : []), `${store}-${table}`, `${store}-${schema}-${table}`].map(plain);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
