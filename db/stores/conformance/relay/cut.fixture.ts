import { expect } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { isUnreachable } from "../../port/store-error.ts";
import type { RelayHand } from "../open-outbox.fixture.ts";
import type { DatabaseUnderTest } from "../store-under-test.fixture.ts";

export const SIDES = ["before", "after"] as const;

export interface Cut {
  database: DatabaseUnderTest;
  /** Which statement of the operation, from 1. */
  nth: number;
  when: (typeof SIDES)[number];
}

/** How an operation ended whose connections were cut, or were to be. */
export type Outcome<T> = { struck: boolean } & ({ done: true; value: T } | { done: false });

/** Begins an operation and cuts it. One that fails must say so in the port's words, and only because of the cut. */
export async function underCut<T>({ database, nth, when }: Cut, work: () => Promise<T>): Promise<Outcome<T>> {
  const fault = database.cutAt(nth, when);
  try {
    const value = await work();
    return { struck: fault.struck(), done: true, value };
  } catch (error) {
    if (!fault.struck()) throw error;
    expect(isUnreachable(error), String(error)).toBe(true);
    return { struck: true, done: false };
  } finally {
    fault.clear();
  }
}

/** Rounds with the cut at one statement after the other, until one runs through uncut. */
export async function cutEverywhere(round: (nth: number) => Promise<{ struck: boolean }>): Promise<void> {
  let nth = 1;
  while ((await round(nth)).struck) nth += 1;
  expect(nth, "cuts that struck").toBeGreaterThan(1);
}

/** What a relay does again until it has connections that live. */
export function again<T>(work: () => Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  return waitFor(work, { message: "the relay's connections are back" });
}

/**
 * Connections that a relay opens by itself when its term begins are not part of what it does next: a question that
 * each of them has answered comes after their own.
 */
export async function settleDown({ table }: RelayHand): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => table.readShares({ silentMs: 1000 })));
  }
}
