import type { Pool } from "pg";
import { createPool } from "#db/postgres/pool.ts";
import { AppError } from "#domain/errors.ts";
import type { Config } from "./config/config-schema.ts";
import type { Environment } from "./config/load-config.ts";
import { PROGRAM_VERSION } from "./program-version.ts";
import { openStore } from "./stores/open-store.ts";
import {
  type InboxHandle,
  type OutboxHandle,
  readStore,
  type StoreHandle,
  type StoreProblem,
} from "./stores/read-store.ts";

export type { InboxHandle, OutboxHandle, StoreHandle } from "./stores/read-store.ts";

/** What a configuration comes to: outboxes and inboxes as the catalogs show them right now. */
export interface Tables {
  outboxes: OutboxHandle[];
  inboxes: InboxHandle[];
  problems: StoreProblem[];
}

export interface Runtime {
  readonly config: Config;
  readonly version: string;
  /** Catalogs are read again after a minute, or after a few seconds while something is wrong. */
  tables(): Promise<Tables>;
  /** Reads the catalogs at the next question: a statement has met a table that is not as it was read. */
  reread(): void;
  /** Throws: not_found; unavailable, when its store does not answer and it was never seen. */
  outbox(name: string): Promise<OutboxHandle>;
  /** Throws: not_found. */
  inbox(name: string): Promise<InboxHandle>;
  /** The console side; null when nothing may be created anywhere (observe only, no embedded Postgres). */
  readonly consoleDb: Pool | null;
  readonly consoleUrl: string | null;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  /** Shown in pg_stat_activity, e.g. `outbox-console web`. */
  applicationName: string;
  env?: Environment;
}

const FRESH_MS = 60_000;
const FRESH_WITH_PROBLEMS_MS = 3_000;

/** Opens no connection by itself: a database that is down is a problem of the question that needs it. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { config, applicationName } = options;
  const consoleUrl = consoleUrlOf(config, options.env ?? process.env);
  const consoleDb = consoleUrl
    ? createPool({ url: consoleUrl, applicationName, readOnly: false, max: 4, statementTimeoutMs: 5000 })
    : null;
  const stores = Object.entries(config.stores).map(([name, store]) =>
    openStore({ name, config: store, applicationName }),
  );
  let known: Tables = { outboxes: [], inboxes: [], problems: [] };
  let cached: { tables: Promise<Tables>; until: number } | undefined;

  const runtime: Runtime = {
    config,
    version: PROGRAM_VERSION,
    consoleDb,
    consoleUrl,
    tables() {
      const now = performance.now();
      if (cached && now < cached.until) return cached.tables;
      const tables = readAllStores(config, stores, known);
      const entry = { tables, until: now + FRESH_MS };
      cached = entry;
      tables.then(
        (read) => {
          known = read;
          if (read.problems.length > 0 || read.outboxes.some(awaitsSomeone))
            entry.until = performance.now() + FRESH_WITH_PROBLEMS_MS;
        },
        () => {
          entry.until = 0;
        },
      );
      return tables;
    },
    reread() {
      cached = undefined;
    },
    async outbox(name) {
      return find(await runtime.tables(), "outboxes", name);
    },
    async inbox(name) {
      return find(await runtime.tables(), "inboxes", name);
    },
    async close() {
      await Promise.all([consoleDb?.end(), ...stores.map((store) => store.close())]);
    },
  };
  return runtime;
}

/** Someone is about to run `npm run migrate` or to answer what stops the outbox, and should not wait a minute to see it. */
function awaitsSomeone(outbox: OutboxHandle): boolean {
  return outbox.stop !== null || (outbox.config.mode !== "observe" && !outbox.storeSide);
}

/** Of a store that does not answer, what was known of it stays: its outboxes are then there, and say that it is silent. */
async function readAllStores(config: Config, stores: StoreHandle[], known: Tables): Promise<Tables> {
  const read = await Promise.all(
    stores.map(async (store) => {
      const tables = await readStore(config, store);
      if (!tables.problems.some((problem) => problem.name === null)) return tables;
      const kept = (handle: { store: StoreHandle }) => handle.store === store;
      return { ...tables, outboxes: known.outboxes.filter(kept), inboxes: known.inboxes.filter(kept) };
    }),
  );
  return {
    outboxes: read.flatMap((store) => store.outboxes),
    inboxes: read.flatMap((store) => store.inboxes),
    problems: read.flatMap((store) => store.problems),
  };
}

function find<Kind extends "outboxes" | "inboxes">(tables: Tables, kind: Kind, name: string): Tables[Kind][number] {
  const found = tables[kind].find((handle) => handle.name === name);
  if (found) return found;
  const problem = tables.problems.find((candidate) => candidate.name === name || candidate.name === null);
  if (problem) throw new AppError("unavailable", problem.message);
  const word = kind === "outboxes" ? "outbox" : "inbox";
  throw new AppError("not_found", `There is no ${word} named "${name}".`);
}

function consoleUrlOf(config: Config, env: Environment): string | null {
  if (config.console.databaseUrl) return config.console.databaseUrl;
  if (env.OUTBOX_EMBEDDED_URL) return env.OUTBOX_EMBEDDED_URL;
  const operated = Object.values(config.outboxes).find((outbox) => outbox.mode !== "observe");
  return operated ? (config.stores[operated.store]?.url ?? null) : null;
}
