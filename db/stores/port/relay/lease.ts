export interface Lease {
  outbox: string;
  owner: string;
  /** Epoch of the term: one for all its partitions, higher than that of any earlier term of the outbox. */
  epoch: number;
  /** Ascending; all partitions (domain/relay/partitions.ts) if the owner is alone. */
  partitions: readonly number[];
  /** Lease length; the owner stops publishing after two thirds of it, on its own monotonic clock. */
  leaseMs: number;
}

export interface LeaseRequest {
  owner: string;
  leaseMs: number;
  /** True: takes free partitions next to other owners. False or omitted: the whole outbox or nothing. */
  share?: boolean;
  /** With `share`: at most this many partitions; the owner gives up any beyond that. */
  most?: number;
}

/** A message of a claim ended because its owner's term was over. */
export interface OrphanedMessage {
  id: string;
  /** The claim was for this message alone, with nothing else in flight. */
  alone: boolean;
  /** Owner of the claim; the new owner itself if the claim is left over from its previous term. */
  owner: string;
  /** Start of the claim, on the database clock. */
  startedAt: string;
}

export type AcquiredLease = Lease & { orphaned: OrphanedMessage[] };

/** The term is over: its owner must stop at once and write nothing more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
