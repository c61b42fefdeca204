import type { Pool } from "pg";
import { ping } from "#db/stores/postgres/connection/ping.ts";
import { createPool, splitPooler } from "#db/stores/postgres/connection/pool.ts";
import type { StoreConfig } from "../config/store-schema.ts";
import type { StoreHandle } from "./read-store.ts";
import { StoreLine } from "./store-line.ts";

/** Pools of one store, opened at their first use. Reads can never write; writes are for the operator's verbs alone. */
export function openStore(input: { name: string; config: StoreConfig; applicationName: string }): StoreHandle {
  const { name, config, applicationName } = input;
  const opened = new Set<Pool>();
  const lazily = (create: () => Pool) => {
    let pool: Pool | undefined;
    return () => {
      if (!pool) {
        pool = create();
        opened.add(pool);
      }
      return pool;
    };
  };
  const { url } = splitPooler(config.url);
  const readOnly = { applicationName, readOnly: true, statementTimeoutMs: 5000 };
  const reads = lazily(() => createPool({ ...readOnly, url: config.url, max: 4 }));
  const browse = lazily(() => (config.readUrl ? createPool({ ...readOnly, url: config.readUrl, max: 4 }) : reads()));
  const writes = lazily(() =>
    createPool({ url: config.url, applicationName, readOnly: false, max: 3, statementTimeoutMs: 10_000 }),
  );
  const pings = lazily(() => createPool({ ...readOnly, url: config.url, max: 1 }));
  return {
    name,
    config,
    line: new StoreLine({ what: `store ${name}`, ping: () => ping(pings()) }),
    url,
    directUrl: config.directUrl ?? url,
    address: addressOf(url),
    get reads() {
      return reads();
    },
    get browse() {
      return browse();
    },
    get writes() {
      return writes();
    },
    async close() {
      await Promise.all([...opened].map((pool) => pool.end()));
    },
  };
}

/** Host, port and database of a URL, without the user and the password. */
export function addressOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch (error) {
    if (error instanceof TypeError) return "an address that is not a URL";
    throw error;
  }
}
