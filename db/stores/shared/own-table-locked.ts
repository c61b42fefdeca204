import { AppError } from "#domain/errors.ts";
import { StoreError } from "../port/store-error.ts";

/** Without these a relay neither claims nor marks. Its heartbeats, pauses, and what it records of few messages may wait. */
const OF_EVERY_CLAIM = ["claim", "lease", "outbox_lock"];

export interface OwnTableLock {
  /** Who has locked which table, as a clause. */
  clause: string;
  /** SQL that ends it. */
  endStatement: string;
}

/**
 * Why nothing of an outbox can be read though its table is free: another program has locked one of our own tables. Null if
 * none has. `find` looks among these tables, or among all.
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
  // The trouble says that a relay which has what it needs may go on.
  return ofClaims
    ? new AppError("unavailable", message, { cause })
    : new StoreError("locked", "unavailable", message, { cause });
}
