import { expect } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { isUnreachable } from "../../port/store-error.ts";
import { type Cut, type CutResult, underCut } from "../cut-each.fixture.ts";
import type { RelayHand } from "../open-outbox.fixture.ts";

/** Begins an operation of a relay and cuts it. It may fail only because of the cut, and with an error of the port. */
export async function cutRelay<T>(cut: Cut, work: () => Promise<T>): Promise<CutResult<T>> {
  const result = await underCut(cut, work);
  if (result.done) return result;
  if (!result.struck) throw result.error;
  expect(isUnreachable(result.error), String(result.error)).toBe(true);
  return result;
}

/** Rounds with the cut at one statement after the other, until a round completes without a cut. */
export async function cutEverywhere(round: (nth: number) => Promise<{ struck: boolean }>): Promise<void> {
  let nth = 1;
  while ((await round(nth)).struck) nth += 1;
  expect(nth, "cuts that struck").toBeGreaterThan(1);
}

/** Repeats a step of the relay until its connections work again. */
export function again<T>(work: () => Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  return waitFor(work, { message: "the relay's connections are back" });
}

/**
 * Waits until the connections that a relay opens when its term begins have finished their first statements, so that
 * those are not part of the next operation: each connection answers one more question.
 */
export async function settleDown({ table }: RelayHand): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => table.readShares({ silentMs: 1000 })));
  }
}
