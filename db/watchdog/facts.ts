import type { RouteOutage } from "../outbox/route-outage.ts";
import type { PartialPauses } from "../relays/pauses.ts";
import type { StreamReading } from "../relays/stream-sql.ts";

/**
 * What the watchdog's rules judge, read from one store. Instants are RFC 3339 texts of the database's clock. A fact is
 * null where it does not apply to the outbox.
 */
export interface WaitingFacts {
  /** Due messages that are still to be sent and that no failed head blocks; beyond 10,000 all that are unsent. */
  due: number;
  /** Of these, the ones that were due longer than the outbox's limit. */
  overdue: number;
  overdueAggregates: number;
  /** There are at least so many. */
  capped: boolean;
  oldestDueAt: string | null;
}

export interface BlockedAggregate {
  /** Type and id, as `order/ord-1`. */
  aggregate: string;
  aggregateId: string;
  headId: string;
  eventType: string | null;
  attempts: number;
  /** When the head was written: long ago where it waited behind an earlier head. */
  headCreatedAt: string | null;
  firstFailedAt: string | null;
  nextAttemptAt: string | null;
  errorCode: string | null;
  error: string | null;
  /** Messages of the aggregate behind the head. */
  waiting: number;
  waitingCapped: boolean;
}

export interface RelayReading {
  id: string;
  host: string;
  pid: number;
  state: string;
  heartbeatAt: string;
  lastPublishedAt: string | null;
  lastError: string | null;
  sinkName: string;
  sinkAddress: string;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Open breakers of routes, the longest outage first. */
  routes: RouteOutage[];
  /** Claimed messages that someone else had published or taken away when they were settled; cumulative. */
  foreignPublished: number;
  /** Rows that someone else published and the relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: number;
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's wall clock minus the database's clock; null when it was never measured. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle that was being written as it last said. */
  settlingSince: string | null;
  /** Of a relay that reads the log. */
  stream: StreamReading | null;
}

export interface RelayFacts {
  instances: RelayReading[];
  /** A pause that has not run out. */
  pause: { reason: string; by: string; until: string | null } | null;
  /** What is withheld while the rest flows. */
  partial: PartialPauses;
}

export interface ExpiredClaims {
  claims: number;
  messages: number;
  oldestAt: string | null;
  /** Who held them: owners of claims, or the table's own lock column. */
  owners: string[];
}

export interface LockHolder {
  pid: number;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  state: string | null;
  transactionAt: string;
  queryAt: string | null;
  /** At most 200 characters, literals left out. */
  query: string | null;
  /** Strongest lock on the table, as pg_locks names it. */
  mode: string;
  /** Waiting rows that this transaction has locked or changed; null when they could not be looked at. */
  rows: number | null;
  /** Sessions that wait for this one at this moment. */
  blockedPids: number[];
}

export interface OldTransaction {
  /** Null for a prepared transaction, which no session holds any more. */
  pid: number | null;
  preparedId: string | null;
  user: string | null;
  applicationName: string | null;
  state: string | null;
  transactionAt: string;
  query: string | null;
  /** It has written: rows with later sequence numbers may be visible before its own. */
  holdsBackNewRows: boolean;
}

export interface CountWithLatest {
  messages: number;
  capped: boolean;
  latestAt: string | null;
}

export interface UnknownWord {
  /** Null when the status is NULL. */
  word: string | null;
  messages: number;
  capped: boolean;
}

export interface UnroutableType {
  eventType: string | null;
  /** Of the newest dead messages. */
  messages: number;
  /** The newest one's, with its failure group. */
  error: string | null;
  fingerprint: string | null;
  since: string | null;
}

export interface StoreFacts {
  waiting: WaitingFacts;
  blocked: BlockedAggregate[] | null;
  relays: RelayFacts | null;
  expiredClaims: ExpiredClaims | null;
  lockHolders: LockHolder[];
  oldTransactions: OldTransaction[];
  scheduledFar: CountWithLatest | null;
  clockSkew: CountWithLatest | null;
  unknownWords: UnknownWord[] | null;
  unroutable: UnroutableType[] | null;
}
export type FactName = keyof StoreFacts;
