import { AsyncLocalStorage } from "node:async_hooks";

/** A call of `onceIn` on a transaction. */
interface Part {
  ended: boolean;
  /** Resolves once it has ended, also by an error. */
  end: Promise<void>;
  /** The part in whose work this one was called. */
  outer: Part | undefined;
  /** The part that was in progress on the same handle. */
  below: Part | undefined;
}

const within = new AsyncLocalStorage<Part>();
const latest = new WeakMap<object, Part>();

/**
 * Runs `work` once no other part of the transaction is in progress, except those around this one. Race: the savepoints
 * of two parts at the same time enclose each other in the order of their statements, and the rollback of one would undo
 * another that has already succeeded.
 */
export async function oneAtATime<T>(tx: object, work: () => Promise<T>): Promise<T> {
  const outer = within.getStore();
  let below = inProgress(tx);
  while (below && !isAround(below, outer)) {
    await below.end;
    below = inProgress(tx);
  }
  const part: Part = { ended: false, end: Promise.resolve(), outer, below };
  latest.set(tx, part);
  const result = within.run(part, work);
  const end = () => {
    part.ended = true;
  };
  part.end = result.then(end, end);
  await part.end;
  return result;
}

/** A part that nobody awaited may end after the one around it. */
function inProgress(tx: object): Part | undefined {
  let part = latest.get(tx);
  while (part?.ended) part = part.below;
  return part;
}

function isAround(part: Part, inner: Part | undefined): boolean {
  let one = inner;
  while (one && one !== part) one = one.outer;
  return one !== undefined;
}
