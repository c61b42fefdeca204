import { expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { troubleOf } from "../port/store-error.ts";
import { CUT_SIDES, type CutSide, type DatabaseUnderTest, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Prepares a test, runs the work to cut, and returns whether it has changed anything. */
export type CutTry = (cut: (work: () => Promise<unknown>) => Promise<void>) => Promise<boolean>;

export interface Cut {
  database: DatabaseUnderTest;
  /** Which statement of the operation, from 1. */
  nth: number;
  when: CutSide;
}

/** `test` for an operation that is cut before or after each of its statements; skipped for a `sparing` engine. */
export function cutTestOf({ sparing = false }: StoreUnderTest): (name: string, run: () => Promise<void>) => void {
  return sparing ? () => undefined : test;
}

/** Result of an operation with a planned cut of its connections; `struck` if the cut happened. */
export type CutResult<T> = { struck: boolean } & ({ done: true; value: T } | { done: false; error: unknown });

/** Begins an operation and cuts it. */
export async function underCut<T>({ database, nth, when }: Cut, work: () => Promise<T>): Promise<CutResult<T>> {
  const fault = database.cutAt(nth, when);
  try {
    const value = await work();
    return { struck: fault.struck(), done: true, value };
  } catch (error) {
    return { struck: fault.struck(), done: false, error };
  } finally {
    fault.clear();
  }
}

/** Asks until there is an answer: a connection that was cut may still be handed out once. */
export async function onceAgain<T>(work: () => Promise<T>): Promise<T> {
  const { answer } = await waitFor(async () => ({ answer: await work() }), { message: "the store answers again" });
  return answer;
}

/**
 * Tries with a cut at each statement in turn until a try runs through. A cut try must fail, and say so if it may have
 * been done; the try that runs through must be done. Returns the number of statements.
 */
export async function cutEach(database: DatabaseUnderTest, attempt: CutTry): Promise<number> {
  let statements = 0;
  for (const when of CUT_SIDES)
    for (let nth = 1, ranThrough = false; !ranThrough; nth += 1) {
      let error: unknown = null;
      let struck = false;
      const changed = await attempt(async (work) => {
        const result = await underCut({ database, nth, when }, work);
        struck = result.struck;
        error = result.done ? null : result.error;
      });
      expectTold({ where: `cut ${when} statement ${nth}`, error, struck, changed });
      ranThrough = !struck;
      statements = Math.max(statements, nth);
    }
  return statements;
}

interface Told {
  where: string;
  error: unknown;
  struck: boolean;
  changed: boolean;
}

function expectTold({ where, error, struck, changed }: Told): void {
  if (error === null) {
    expect([struck, changed], where).toEqual([false, true]);
    return;
  }
  expect(struck, `${where}: ${error}`).toBe(true);
  expect(changed ? ["commit_in_doubt"] : ["commit_in_doubt", "unreachable"], where).toContain(troubleOf(error));
}
