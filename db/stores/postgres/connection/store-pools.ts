import type { Pool } from "pg";
import { POOL_SIZES } from "../../port/pool-sizes.ts";
import { createPool } from "./pool.ts";

/** The pools of one store. Each is opened at its first use. */
export interface StorePools {
  /** Sessions that refuse to write. */
  reads(): Pool;
  /** For lists and details: the replica where one is configured, else as `reads`. Never for health or guards. */
  browse(): Pool;
  /** For people's actions and our own records alone. */
  writes(): Pool;
  /** Nothing else uses it: a ping waits for no question. */
  pings(): Pool;
  close(): Promise<void>;
}

export function createStorePools(input: {
  url: string;
  readUrl?: string | undefined;
  applicationName: string;
}): StorePools {
  const { url, readUrl, applicationName } = input;
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
  const readOnly = { applicationName, readOnly: true, statementTimeoutMs: 5000 };
  const reads = lazily(() => createPool({ ...readOnly, url, max: POOL_SIZES.reads }));
  return {
    reads,
    browse: readUrl ? lazily(() => createPool({ ...readOnly, url: readUrl, max: POOL_SIZES.reads })) : reads,
    writes: lazily(() =>
      createPool({ url, applicationName, readOnly: false, max: POOL_SIZES.writes, statementTimeoutMs: 10_000 }),
    ),
    pings: lazily(() => createPool({ ...readOnly, url, max: POOL_SIZES.pings })),
    async close() {
      await Promise.all([...opened].map((pool) => pool.end()));
    },
  };
}
