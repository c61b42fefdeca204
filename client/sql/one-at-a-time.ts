import { AsyncLocalStorage } from "node:async_hooks";
import { ClientError } from "../errors.ts";

/** A call of `onceIn` on a transaction. */
interface Part {
  ended: boolean;
  /** The part in whose work this one was called. */
  outer: Part | undefined;
  /** The part that was in progress on the same handle. */
  below: Part | undefined;
}

const within = new AsyncLocalStorage<Part>();
const latest = new WeakMap<object, Part>();

/**
 * Runs `work` unless another part of the transaction is in progress that is not around this one: their savepoints would enclose
 * each other in the order of their statements, and the rollback of one would undo another that has already succeeded.
 */
export async function oneAtATime<T>(tx: object, work: () => Promise<T>): Promise<T> {
  const outer = within.getStore();
  const below = inProgress(latest.get(tx));
  if (below && !isAround(below, outer))
    throw new ClientError(
      "invalid_input",
      "Another onceIn is in progress in this transaction, and its failure would undo this one as well: await one before the next, or use once.",
    );
  const part: Part = { ended: false, outer, below };
  latest.set(tx, part);
  try {
    return await within.run(part, work);
  } finally {
    part.ended = true;
  }
}

/** A part that nobody awaited may end after the one around it. */
function inProgress(part: Part | undefined): Part | undefined {
  let one = part;
  while (one?.ended) one = one.below;
  return one;
}

function isAround(part: Part, inner: Part | undefined): boolean {
  let one = inner;
  while (one && one !== part) one = one.outer;
  return one !== undefined;
}
