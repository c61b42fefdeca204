export interface WaitingFacts {
  /** Due, unsent messages that no failed head blocks. In a large table, counted among the first 10,000 waiting. */
  due: number;
  /** How many of these have been due for longer than the outbox's warning limit. */
  overdue: number;
  overdueAggregates: number;
  /** True if counting stopped at a cap: there are at least that many. */
  capped: boolean;
  oldestDueAt: string | null;
}

/** Most failed heads that a store reads: the longest failed. Of so many nothing says how many there are. */
export const MOST_HEADS = 200;

/** Waiting messages whose types and locks a store reads: the first in order. */
export const LOOKED_AT_WAITING = 10_000;

export interface FailingHead {
  /** Type and id, as `order/ord-1`. */
  aggregate: string;
  aggregateId: string;
  headId: string;
  eventType: string | null;
  attempts: number;
  /** May be long before `firstFailedAt`: the head may have waited behind earlier ones. */
  headCreatedAt: string | null;
  firstFailedAt: string | null;
  nextAttemptAt: string | null;
  errorCode: string | null;
  error: string | null;
  /** Messages of the aggregate behind the head; null if counting them needs a full scan. */
  waiting: number | null;
  /** True if counting stopped at a cap: there are at least that many. */
  waitingCapped: boolean;
}

export interface ExpiredClaims {
  claims: number;
  messages: number;
  /** True if counting stopped at a cap: there are at least that many. */
  capped: boolean;
  /** Start or expiry of the oldest claim; if that is unknown, creation time of the oldest claimed message. */
  oldestAt: string | null;
  /** False if the table marks a message as claimed without saying since when. */
  claimedAtKnown: boolean;
  /** Who held them, from the claims or from the table's own lock column. */
  owners: string[];
}

export interface CountWithLatest {
  messages: number;
  capped: boolean;
  latestAt: string | null;
}

/** Unsent messages that have no value in the column by which our relay orders them. */
export interface Orderless {
  column: string;
  messages: number;
  capped: boolean;
  /** Creation of the oldest one; null if the table does not record it, or there is none. */
  oldestAt: string | null;
}

export interface UnknownWord {
  /** Null when the status is NULL. */
  word: string | null;
  messages: number;
  capped: boolean;
}

/** Most groups of dead messages, the largest. */
export const MOST_DEAD_GROUPS = 20;

/**
 * Dead messages of one type and one kind of error, among the newest that were read: at most 10,000, of the table 5,000.
 */
export interface DeadGroup {
  eventType: string | null;
  code: string | null;
  error: string | null;
  /** Fingerprint of the failure group; null if the dead messages are kept in the outbox table itself. */
  fingerprint: string | null;
  messages: number;
  capped: boolean;
  firstAt: string | null;
  lastAt: string | null;
  /**
   * Time since the oldest of them was created, or was first tried if that is longer ago, on the store's clock. Null if
   * it is not known of each.
   */
  oldestSeconds: number | null;
  /** Messages that died in the last minute. */
  lastMinute: number;
}
