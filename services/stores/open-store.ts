import type { Pool } from "pg";
import { createPool } from "#db/postgres/pool.ts";
import type { StoreConfig } from "../config/config-schema.ts";
import type { StoreHandle } from "./read-store.ts";

/** Pools of one store, opened at their first use. Reads can never write; writes are for the operator's verbs alone. */
export function openStore(input: { name: string; config: StoreConfig; applicationName: string }): StoreHandle {
  const { name, config, applicationName } = input;
  const opened: Pool[] = [];
  const lazily = (create: () => Pool) => {
    let pool: Pool | undefined;
    return () => {
      if (!pool) {
        pool = create();
        opened.push(pool);
      }
      return pool;
    };
  };
  const sessionOptions = !/[?&]pgbouncer=true/.test(config.url);
  const url = config.url.replace(/([?&])pgbouncer=true&?/, "$1").replace(/[?&]$/, "");
  const reads = lazily(() =>
    createPool({ url, applicationName, readOnly: true, max: 4, statementTimeoutMs: 5000, sessionOptions }),
  );
  const writes = lazily(() =>
    createPool({ url, applicationName, readOnly: false, max: 3, statementTimeoutMs: 10_000, sessionOptions }),
  );
  return {
    name,
    config,
    url,
    directUrl: config.directUrl ?? url,
    address: addressOf(url),
    get reads() {
      return reads();
    },
    get writes() {
      return writes();
    },
    async close() {
      await Promise.all(opened.map((pool) => pool.end()));
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
