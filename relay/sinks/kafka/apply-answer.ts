import type { Failure } from "#domain/failure.ts";
import { PUBLISHED } from "../sink.ts";
import { failureOfCode, verdictOf } from "./classify-failure.ts";
import type { Identities } from "./identities.ts";
import type { Chunk, Lane } from "./lane.ts";
import type { PartitionAnswer } from "./produce.ts";

/** A batch in flight in its lane. */
export interface Under {
  lane: Lane;
  chunk: Chunk;
}

const MOST_RENEWALS = 3;
const [TOO_LARGE, LIST_TOO_LARGE] = [10, 18];

/**
 * Applies a broker's answer to a batch and its lane. Returns the reason to look up the partition's leader before
 * sending again; null when the lane can go on.
 */
export function applyAnswer(under: Under, answer: PartitionAnswer, identities: Identities): Failure | null {
  const { lane, chunk } = under;
  const failure = failureOfCode(answer.errorCode, describe(lane), answer.detail);
  switch (verdictOf(answer.errorCode)) {
    case "published":
      lane.written(chunk);
      for (const entry of chunk.entries) entry.settle(PUBLISHED);
      return null;
    case "refresh":
      lane.kept = chunk;
      return failure;
    case "split":
      split(under, answer, failure);
      return null;
    case "renew":
      // Sent before, it may have been written: under a new identity the broker would take it twice.
      if (lane.kept === chunk) giveUp(under, { ...failure, kind: "ambiguous" }, identities);
      else renew(under, failure, identities);
      return null;
    case "unsure":
      giveUp(under, failure, identities);
      return null;
    case "fail":
      if (lane.kept === chunk) giveUp(under, failure, identities);
      else fail(chunk, failure);
      return null;
  }
}

/** The batch may have been written, so its sequence is unknown and cannot be reused. */
export function giveUp({ lane, chunk }: Under, failure: Failure, identities: Identities): void {
  identities.spoil(chunk.identity);
  lane.kept = null;
  fail(chunk, failure);
}

export function fail({ entries }: Pick<Chunk, "entries">, failure: Failure): void {
  for (const entry of entries) entry.settle({ kind: "failed", failure });
}

export function describe({ to }: Lane): string {
  return `partition ${to.partition} of the topic ${to.topic}`;
}

/** Nothing of the batch was written. Isolates the record to blame; only later records of its aggregate wait. */
function split({ lane, chunk }: Under, { errorCode, refused }: PartitionAnswer, failure: Failure): void {
  lane.kept = null;
  lane.endTrouble();
  const { entries } = chunk;
  const named = new Set(entries.length === 1 ? [0] : refused.filter((place) => place < entries.length));
  if (named.size === 0) lane.halve(chunk, errorCode === TOO_LARGE || errorCode === LIST_TOO_LARGE);
  fail({ entries: entries.filter((_, place) => named.has(place)) }, failure);
  lane.putBack(entries.filter((_, place) => !named.has(place)));
}

/**
 * The broker did not write this batch, as it does not know the producer's identity or sequence: send it with a new one.
 */
function renew({ lane, chunk }: Under, failure: Failure, identities: Identities): void {
  identities.spoil(chunk.identity);
  lane.kept = null;
  lane.renewals += 1;
  if (lane.renewals <= MOST_RENEWALS) {
    lane.putBack(chunk.entries);
    return;
  }
  lane.renewals = 0;
  fail(chunk, failure);
}
