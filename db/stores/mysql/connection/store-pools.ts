import { POOL_SIZES } from "../../port/pool-sizes.ts";
import type { OwnPlace } from "./own-place.ts";
import { createPool, type Pool } from "./pool.ts";

/** The pools of one store, each opened at its first use. */
export interface StorePools {
  /** Sessions that refuse to write. */
  reads(): Pool;
  /** For lists and details: the replica if configured, otherwise `reads`. Never for health or guards. */
  browse(): Pool;
  /** Only for operators' actions and our own records. */
  writes(): Pool;
  /** Only for pings, so that a ping never waits behind a query. */
  pings(): Pool;
  close(): Promise<void>;
}

export function createStorePools(input: {
  url: string;
  readUrl?: string | undefined;
  applicationName: string;
  own: OwnPlace;
}): StorePools {
  const { url, readUrl, applicationName, own } = input;
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
  const readOnly = { applicationName, own, readOnly: true, statementTimeoutMs: 5000 };
  const reads = lazily(() => createPool({ ...readOnly, url, max: POOL_SIZES.reads }));
  return {
    reads,
    browse: readUrl ? lazily(() => createPool({ ...readOnly, url: readUrl, max: POOL_SIZES.reads })) : reads,
    writes: lazily(() =>
      createPool({ ...readOnly, url, readOnly: false, max: POOL_SIZES.writes, statementTimeoutMs: 10_000 }),
    ),
    pings: lazily(() => createPool({ ...readOnly, url, max: POOL_SIZES.pings })),
    async close() {
      await Promise.all([...opened].map((pool) => pool.end()));
    },
  };
}
