export interface Lease {
  outbox: string;
  owner: string;
  /** Of the term: one for all its partitions, higher than that of any earlier term of the outbox. */
  epoch: number;
  /** Ascending; all of domain/partitions.ts when the owner is alone. */
  partitions: readonly number[];
  /** Lease length; the owner stops publishing at two thirds of it, on its own monotonic clock. */
  leaseMs: number;
}

export interface LeaseRequest {
  owner: string;
  leaseMs: number;
  /** True: takes what is free beside other owners. False or left out: the whole outbox or nothing. */
  share?: boolean;
  /** With `share`: at most so many partitions; what the owner has beyond that is given up. */
  most?: number;
}

/** A message of a claim that was ended because its owner's term is over. */
export interface OrphanedMessage {
  id: string;
  /** Its claim said that it was alone with the sink. */
  alone: boolean;
  /** Whose claim it was; the new owner's own where it was left over from its last term. */
  owner: string;
  /** When the claim began, as the database says it. */
  startedAt: string;
}

export type AcquiredLease = Lease & { orphaned: OrphanedMessage[] };

/** The term of a lease is over: whoever holds it must stop at once and write nothing more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
