import type { OrderKey, OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { RelayRow } from "../../port/relay-rows.ts";
import { type OwnKey, PARTITIONS } from "./own-table.ts";

/** Records of relays in our table. Instants are RFC 3339, by the server's clock as estimated from its answers. */

/** One term of one owner. It lives while its item exists and `until` has not passed. */
export interface TermDoc {
  owner: string;
  epoch: number;
  partitions: readonly number[];
  startedAt: string;
}

/** The last owner of each partition: the present term's, or the one when the term was ended. */
export interface LeasesDoc {
  /** The highest epoch of any term so far. */
  epoch: number;
  partitions: readonly { owner: string; epoch: number; until: string }[];
}

/** A batch in flight. Ids of its messages that are in flight no more are added to the set `done` of the item. */
export interface ClaimDoc {
  owner: string;
  epoch: number;
  alone: boolean;
  startedAt: string;
  ids: readonly string[];
}

/** Our record of a message whose item is in the team's table and which failed, or which an operator has retried. */
export interface DeliveryDoc {
  aggregateKey: string | null;
  order: OrderKey;
  eventType: string | null;
  createdAt: string | null;
  attempts: number;
  firstErrorCode: string | null;
  firstError: string | null;
  firstFailedAt: string | null;
  lastErrorCode: string | null;
  lastError: string | null;
  lastFailedAt: string | null;
  fingerprint: string | null;
  /** Null for a dead message. */
  nextAttemptAt: string | null;
  /** The message to retry, where the table does not keep it. */
  message?: OutgoingMessage;
}

export interface AttemptDoc {
  id: string;
  number: number;
  startedAt: string;
  durationMs: number | null;
  outcome: "published" | "failed" | "dead" | "given_back";
  code: string | null;
  error: string | null;
  relay: string;
  sink: string;
}

export interface SuspectDoc {
  /** Relays that died with it in flight. */
  orphaned: number;
  /** Deaths of a relay with only this message in flight. */
  crashes: number;
  at: string;
  /** Distinguishes the message from a later one of the same id; missing in records of earlier releases. */
  identity?: string;
}

/** A relay instance as it last said, or the sum of those that are forgotten. */
export type InstanceDoc = Omit<RelayRow, "heartbeatAgeSeconds">;

/** Digits of an epoch in a sort key. */
const EPOCH_DIGITS = 12;
const epochText = (epoch: number) => String(epoch).padStart(EPOCH_DIGITS, "0");

export const TERM = "term#";
export const CLAIM = "claim#";

export function leasesKey(outbox: string): OwnKey {
  return { pk: PARTITIONS.relay(outbox), sk: "leases" };
}

export function termKey(outbox: string, epoch: number): OwnKey {
  return { pk: PARTITIONS.relay(outbox), sk: `${TERM}${epochText(epoch)}` };
}

/** Claims of different terms have different keys, so no write of an older term can change this one. */
export function claimKey(outbox: string, epoch: number, token: string): OwnKey {
  return { pk: PARTITIONS.relay(outbox), sk: `${CLAIM}${epochText(epoch)}#${token}` };
}

export function deliveryKey(outbox: string, id: string): OwnKey {
  return { pk: PARTITIONS.deliveries(outbox), sk: id };
}

export function suspectKey(outbox: string, id: string): OwnKey {
  return { pk: PARTITIONS.suspects(outbox), sk: id };
}
