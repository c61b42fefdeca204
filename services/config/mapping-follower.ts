import { isDeepStrictEqual } from "node:util";
import type { ConfigFile } from "./config-file.ts";
import type { Config } from "./config-schema.ts";
import type { OutboxConfig } from "./outbox-schema.ts";

/** The file is looked at no more often, ms. */
const POLL_MS = 1_000;

interface Options {
  /** Changed in place. */
  config: Config;
  file: ConfigFile;
  /** Called after a change. */
  reread: () => void;
}

/**
 * Takes over mappings, new observed outboxes and ignored tables when outbox.yaml changes. Everything else in it needs a
 * restart, because connections and processes depend on it.
 */
export class MappingFollower {
  readonly file: ConfigFile;
  readonly #config: Config;
  readonly #reread: () => void;
  /** Of the text that was followed last; undefined until then, because the file may have changed since it was loaded. */
  #stamp: string | null | undefined;
  #polledMs = Number.NEGATIVE_INFINITY;

  constructor({ config, file, reread }: Options) {
    this.#config = config;
    this.file = file;
    this.#reread = reread;
  }

  /** Follows the file if it has changed. A file that cannot be read, or is not valid, changes nothing and is logged. */
  followIfChanged(): void {
    if (performance.now() < this.#polledMs + POLL_MS) return;
    this.#polledMs = performance.now();
    try {
      const stamp = this.file.stamp();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.follow();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`${this.file.name} has changed and is not followed: ${reason}`);
    }
  }

  /** Throws ConfigError. */
  follow(): void {
    const text = this.file.read();
    if (text === null) return;
    const now = this.file.parse(text);
    const changed = Object.entries(now.outboxes).filter(([name, outbox]) => this.#take(name, outbox));
    const ignored = !isDeepStrictEqual(now.ignoredTables, this.#config.ignoredTables);
    if (ignored) this.#config.ignoredTables = now.ignoredTables;
    if (changed.length > 0 || ignored) this.#reread();
  }

  /** True if it differed. */
  #take(name: string, now: OutboxConfig): boolean {
    const { outboxes, stores } = this.#config;
    const had = outboxes[name];
    if (!had) {
      if (now.mode !== "observe" || !Object.hasOwn(stores, now.store)) return false;
      outboxes[name] = now;
      return true;
    }
    if (isDeepStrictEqual(mappingOf(now), mappingOf(had)) || !isSameTable(now, had)) return false;
    const { columns: _, shape: __, lifecycle: ___, timeZone: ____, ...others } = had;
    const { columns, timeZone, shape, lifecycle } = now;
    outboxes[name] = { ...others, columns, timeZone, ...(shape ? { shape } : {}), ...(lifecycle ? { lifecycle } : {}) };
    return true;
  }
}

/** The settings that say how a table is read. */
export function mappingOf({ columns, shape, lifecycle, timeZone }: OutboxConfig) {
  return { columns, shape, lifecycle, timeZone };
}

/** The same table, used in the same way. */
export function isSameTable(one: OutboxConfig, other: OutboxConfig): boolean {
  return one.store === other.store && one.table === other.table && one.mode === other.mode;
}
