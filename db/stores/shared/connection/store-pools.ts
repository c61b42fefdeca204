import { POOL_SIZES } from "../../port/pool-sizes.ts";

/** The pools of one store, each opened at its first use. */
export interface StorePools<Pool> {
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

export interface StorePoolOptions {
  url: string;
  readOnly: boolean;
  max: number;
  statementTimeoutMs: number;
}

export function createStorePools<Pool extends { end(): Promise<unknown> }>(input: {
  url: string;
  readUrl?: string | undefined;
  open: (options: StorePoolOptions) => Pool;
}): StorePools<Pool> {
  const { url, readUrl, open } = input;
  const opened = new Set<Pool>();
  const lazily = (options: Pick<StorePoolOptions, "max"> & Partial<StorePoolOptions>) => {
    let pool: Pool | undefined;
    return () => {
      if (!pool) {
        pool = open({ url, readOnly: true, statementTimeoutMs: 5000, ...options });
        opened.add(pool);
      }
      return pool;
    };
  };
  const reads = lazily({ max: POOL_SIZES.reads });
  return {
    reads,
    browse: readUrl ? lazily({ url: readUrl, max: POOL_SIZES.reads }) : reads,
    writes: lazily({ readOnly: false, max: POOL_SIZES.writes, statementTimeoutMs: 10_000 }),
    pings: lazily({ max: POOL_SIZES.pings }),
    async close() {
      await Promise.all([...opened].map((pool) => pool.end()));
    },
  };
}
