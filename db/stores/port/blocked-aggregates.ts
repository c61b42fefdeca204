import type { BlockKind } from "#domain/message/blocked-aggregate.ts";
import type { PauseRow } from "./pauses.ts";

export interface BlockedAggregate {
  /** Type and id, as `order/ord-1`. */
  aggregateKey: string;
  /** The reason that has blocked it the longest. */
  kind: BlockKind;
  /** RFC 3339, on the store's clock. */
  since: string;
  /** The failed, dead or suspect message; null if none was tried since the pause. */
  headId: string | null;
  /** Pauses and holds in force of this aggregate. */
  pauses: PauseRow[];
  /** Unsent messages of the aggregate apart from the head; null if counting them needs a full scan. */
  waiting: number | null;
  /** True if there are at least so many. */
  waitingCapped: boolean;
}

export interface BlockedPageRequest {
  /** Where the last page ended; opaque. */
  cursor?: string | undefined;
  limit: number;
}

export interface BlockedPage {
  /** Longest blocked first. */
  aggregates: BlockedAggregate[];
  nextCursor: string | null;
  /** Aggregates that were looked at for this page; those with nothing waiting behind their head are left out. */
  looked: number;
  asOf: string;
}
