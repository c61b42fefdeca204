import { AppError } from "#domain/errors.ts";
import { StoreError } from "../../port/store-error.ts";

/**
 * Without these a relay neither claims nor marks. Its heartbeats, pauses, and what it records of few messages may wait.
 */
const OF_EVERY_CLAIM = ["claim", "lease", "outbox_lock"];

export interface OwnTableLock {
  /** Who has locked which table, as a clause. */
  clause: string;
  /** SQL that ends it. */
  endStatement: string;
}

/**
 * Names the program that has locked one of our own tables, so that an outbox cannot be read though its table is free.
 * Null if none has. `find` looks among these tables, or among all.
 */
export async function ownTableLocked(
  outbox: string,
  find: (tables?: readonly string[]) => Promise<OwnTableLock | null>,
  cause: unknown,
): Promise<AppError | null> {
  const ofClaims = await find(OF_EVERY_CLAIM);
  const lock = ofClaims ?? (await find());
  if (lock === null) return null;
  const relay = ofClaims ? "its relay cannot claim or mark" : "what its relay does is not known";
  const then = ofClaims ? "both go on" : "it is read again";
  const message = `Outbox ${outbox} cannot be read, and ${relay}: ${lock.clause}. When that lock ends, ${then}; \`${lock.endStatement}\` ends it.`;
  // StoreError: a relay whose own tables are free may continue.
  return ofClaims
    ? new AppError("unavailable", message, { cause })
    : new StoreError("locked", "unavailable", message, { cause });
}
