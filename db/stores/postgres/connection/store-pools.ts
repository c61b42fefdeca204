import type { Pool } from "pg";
import { createStorePools as createPools, type StorePools as Pools } from "../../shared/connection/store-pools.ts";
import { createPool } from "./pool.ts";

export type StorePools = Pools<Pool>;

export function createStorePools(input: {
  url: string;
  readUrl?: string | undefined;
  applicationName: string;
}): StorePools {
  const { applicationName } = input;
  return createPools({ ...input, open: (options) => createPool({ ...options, applicationName }) });
}
