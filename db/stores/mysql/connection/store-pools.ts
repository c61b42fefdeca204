import { createStorePools as createPools, type StorePools as Pools } from "../../shared/connection/store-pools.ts";
import type { OwnPlace } from "./own-place.ts";
import { createPool, type Pool } from "./pool.ts";

/** After a failover the address may lead to another server, and an open connection stays with the old one. */
const LIFETIME_MS = 30_000;

export type StorePools = Pools<Pool>;

export function createStorePools(input: {
  url: string;
  readUrl?: string | undefined;
  applicationName: string;
  own: OwnPlace;
}): StorePools {
  const { applicationName, own } = input;
  return createPools({
    ...input,
    open: (options) => createPool({ ...options, applicationName, own, lifetimeMs: LIFETIME_MS }),
  });
}
