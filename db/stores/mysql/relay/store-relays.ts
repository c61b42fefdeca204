import type { OwnPlace } from "../connection/own-place.ts";
import { type MysqlRelayPool, openRelayPool } from "../connection/sessions.ts";
import { ownTables } from "../own-schema/schema.ts";
import { TransactionSamples } from "./transactions/transaction-samples.ts";

/** What the relays of one store share. */
export interface StoreRelays {
  pool: MysqlRelayPool;
  samples: TransactionSamples;
}

type StoreRelaysOptions = Parameters<typeof openRelayPool>[0] & {
  own: OwnPlace;
  /** As of TransactionSamples. */
  refusedMs?: number;
};

/** Connects when the first relay does. */
export function openStoreRelays(options: StoreRelaysOptions): StoreRelays {
  const pool = openRelayPool(options);
  return { pool, samples: new TransactionSamples(pool, ownTables(options.own), options.refusedMs) };
}
