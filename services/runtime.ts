import { openRecords } from "#db/records/open-records.ts";
import type { Records } from "#db/records/records.ts";
import type { Candidate, LeftAlone } from "#db/shapes/candidates.ts";
import { AppError } from "#domain/errors.ts";
import { ConfigFile } from "./config/config-file.ts";
import { ConfigFollower } from "./config/config-follower.ts";
import type { Config } from "./config/config-schema.ts";
import { firstOperatedPostgres } from "./config/first-operated-postgres.ts";
import type { Environment } from "./config/load-config.ts";
import { recordReload } from "./config/record-reload.ts";
import type { TakenOver } from "./config/take-over.ts";
import { PROGRAM_VERSION } from "./program-version.ts";
import { type AbsentTable, absentTables, errorOfProblem } from "./stores/absent-tables.ts";
import type { InboxHandle, MappedTable, OutboxHandle, StoreProblem, StoreTables } from "./stores/handles.ts";
import { KnownTables } from "./stores/known-tables.ts";
import { StoreGuard } from "./stores/store-guard.ts";
import { createLazyStore } from "./stores/store-handle.ts";
import { StoreReader } from "./stores/store-reader.ts";

export type { AbsentTable } from "./stores/absent-tables.ts";
export type { InboxHandle, MappedTable, OutboxHandle } from "./stores/handles.ts";
export type { StoreHandle } from "./stores/store-handle.ts";

/** The outboxes and inboxes of a configuration, as the catalogs show them now. */
export interface Tables {
  outboxes: OutboxHandle[];
  inboxes: InboxHandle[];
  problems: StoreProblem[];
  /** Configured or seen before, and missing now. */
  absent: AbsentTable[];
  /** Tables that may be outboxes; a person has to decide. */
  candidates: (Candidate & MappedTable)[];
  /** Outboxes whose table exists and cannot be mapped; each has a problem. */
  unmapped: MappedTable[];
  /** Tables that resemble outboxes and are something else. */
  leftAlone: (LeftAlone & { store: string })[];
  /** Every table of each store read. */
  looked: { store: string; tables: string[] }[];
}

export interface Runtime {
  readonly config: Config;
  readonly version: string;
  /**
   * The catalogs' tables, cached for a minute, or a few seconds while something is wrong. Answers within 2.5 s: a
   * silent store shows its last reading, with its problem.
   */
  tables(): Promise<Tables>;
  /** outbox.yaml, which is followed while the program runs; null if it is not to be read. */
  readonly configFile: ConfigFile | null;
  /** Applies the present outbox.yaml; for a caller that has changed it and recorded the change. Throws ConfigError. */
  followConfig(): void;
  /** Takes over what outbox.yaml now says, as far as that needs no restart, and records it in the audit. */
  reloadConfig(): void;
  /** Reads a store's catalog now, and waits for it 2.5 s at most. */
  refresh(store: string): Promise<void>;
  /** Invalidates the cached catalogs, or older ones only; call it if a statement found a table changed. */
  reread(than?: { olderThanMs: number }): void;
  /**
   * Waits only for the outbox's own store. Throws: not_found; unavailable, if it is missing now or its store is silent.
   */
  outbox(name: string): Promise<OutboxHandle>;
  /** As `outbox`. */
  inbox(name: string): Promise<InboxHandle>;
  /** Outboxes and inboxes seen before. */
  readonly known: Pick<KnownTables, "list" | "dropped" | "settle" | "drop">;
  /** False for an outbox that is hidden from the person this runtime is for; see `scopedRuntime`. */
  sees(outbox: string): boolean;
  /** The runtime of the whole console, if this is a part of it; see scopedRuntime. */
  readonly whole?: Runtime;
  /** Names of the only outboxes that it shows; null: all. */
  readonly only: readonly string[] | null;
  /** The console side; null if nothing may be created anywhere (observe only, no embedded Postgres). */
  readonly records: Records | null;
  /** Wraps queries to `records` so that they fail quickly while the database is silent. */
  readonly consoleGuard: StoreGuard | null;
  readonly consoleUrl: string | null;
  /** Aborted by `close`, so that background work sends no more queries. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  /** Shown in pg_stat_activity, e.g. `outbox-console web`. */
  applicationName: string;
  env?: Environment;
  /** Follows outbox.yaml while the program runs. */
  follow?: boolean;
  /** For one-off commands: waits as long as a catalog takes, and stores no known tables. */
  once?: boolean;
}

/** Connects on first use: a database that is down only fails the requests that need it. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { config, applicationName, once = false } = options;
  const consoleUrl = consoleUrlOf(config, options.env ?? process.env);
  const side = consoleUrl ? openConsoleSide(consoleUrl, applicationName) : null;
  const stores = Object.entries(config.stores).map(([name, store]) =>
    createLazyStore({ name, config: store, applicationName }),
  );
  const known = new KnownTables({ config, records: once ? null : (side?.records ?? null), guard: side?.line ?? null });
  const readers = stores.map((store) => new StoreReader({ config, store, known, patient: once }));

  const closing = new AbortController();
  const reread = (than?: { olderThanMs: number }) => {
    for (const reader of readers) reader.reread(than);
  };
  const follower = options.follow
    ? followFile({ config, applicationName, records: side?.records ?? null, reread, env: options.env ?? process.env })
    : null;

  const readTables = async (asked: readonly StoreReader[]): Promise<Tables> => {
    follower?.followIfChanged();
    // Absent tables are derived from the known ones, so wait for those even if a store refuses quickly.
    const [read] = await Promise.all([Promise.all(asked.map((reader) => reader.tables())), known.ready()]);
    return {
      outboxes: read.flatMap((store) => store.outboxes),
      inboxes: read.flatMap((store) => store.inboxes),
      problems: read.flatMap((store) => store.problems),
      absent: asked.flatMap(({ store }, index) => {
        const tables = read[index];
        return tables ? absentTables({ config, store: store.name, tables, known: known.list() }) : [];
      }),
      candidates: read.flatMap((store) => store.candidates),
      unmapped: read.flatMap((store) => store.unmapped),
      leftAlone: ofEach(asked, read, ({ leftAlone }) => leftAlone),
      looked: asked.map(({ store }, index) => ({ store: store.name, tables: [...(read[index]?.inCatalog ?? [])] })),
    };
  };
  const find = async <Kind extends "outboxes" | "inboxes">(kind: Kind, name: string): Promise<Tables[Kind][number]> => {
    // Starts reading the catalogs in parallel, so that a hanging console side is not waited for first.
    if (!Object.hasOwn(config[kind], name) && !known.wasRead) for (const reader of readers) void reader.tables();
    if (!Object.hasOwn(config[kind], name)) await known.ready();
    const owner = storeOf({ config, known, kind, name });
    const asked = owner === undefined ? readers : readers.filter(({ store }) => store.name === owner);
    const tables = await readTables(asked);
    const found = tables[kind].find((handle) => handle.name === name);
    if (found) {
      // With a replica, lists and details still work while the primary is silent, so do not check it here.
      if (!found.store.config.readUrl) await found.store.guard.check();
      return found;
    }
    throw notThere({ tables, kind, name, neverRead: asked.some((reader) => !reader.wasRead) });
  };

  return {
    config,
    version: PROGRAM_VERSION,
    known,
    sees: () => true,
    only: null,
    records: side?.records ?? null,
    consoleGuard: side?.line ?? null,
    consoleUrl,
    tables: () => readTables(readers),
    configFile: follower?.file ?? null,
    followConfig: () => follower?.follow(),
    reloadConfig: () => follower?.reload(),
    refresh: async (name) => readers.find(({ store }) => store.name === name)?.refresh(),
    reread,
    outbox: (name) => find("outboxes", name),
    inbox: (name) => find("inboxes", name),
    closing: closing.signal,
    async close() {
      closing.abort();
      await known.settle();
      await Promise.all([side?.records.close(), ...stores.map((store) => store.close())]);
    },
  };
}

interface Followed {
  config: Config;
  applicationName: string;
  records: Records | null;
  reread: () => void;
  env: Environment;
}

function followFile({ config, applicationName, records, reread, env }: Followed): ConfigFollower {
  const file = new ConfigFile(env);
  const onSettings = (taken: TakenOver) => recordReload(taken, { process: applicationName, file: file.name, records });
  return new ConfigFollower({ config, file, reread, onSettings });
}

function openConsoleSide(url: string, applicationName: string) {
  const records = openRecords({ url, applicationName });
  return { records, line: new StoreGuard({ what: "the console", ping: () => records.ping() }) };
}

interface Named {
  config: Config;
  known: KnownTables;
  kind: "outboxes" | "inboxes";
  name: string;
}

/** Undefined for a name never seen: any store may hold it. */
function storeOf({ config, known, kind, name }: Named): string | undefined {
  if (Object.hasOwn(config[kind], name)) return config[kind][name]?.store;
  const word = kind === "outboxes" ? "outbox" : "inbox";
  return known.list().find((entry) => entry.kind === word && entry.name === name)?.store;
}

function notThere(input: { tables: Tables; kind: "outboxes" | "inboxes"; name: string; neverRead: boolean }): AppError {
  const { tables, kind, name } = input;
  const word = kind === "outboxes" ? "outbox" : "inbox";
  const absent = tables.absent.find((one) => one.kind === word && one.name === name);
  const named = absent ?? tables.problems.find((problem) => problem.name === name);
  // A store that was never read may hold the table.
  const problem = named ?? (input.neverRead ? tables.problems.find((candidate) => candidate.name === null) : undefined);
  if (problem) return errorOfProblem(problem);
  return new AppError("not_found", `There is no ${word} named "${name}".`);
}

function consoleUrlOf(config: Config, env: Environment): string | null {
  if (config.console.databaseUrl) return config.console.databaseUrl;
  if (env.OUTBOX_EMBEDDED_URL) return env.OUTBOX_EMBEDDED_URL;
  const operated = firstOperatedPostgres(config);
  return operated?.url ?? null;
}

/** What was found in each store, with the store's name. */
function ofEach<Found>(
  asked: readonly StoreReader[],
  read: readonly StoreTables[],
  of: (tables: StoreTables) => Found[],
) {
  return read.flatMap((tables, index) =>
    of(tables).map((found) => ({ ...found, store: asked[index]?.store.name ?? "" })),
  );
}
