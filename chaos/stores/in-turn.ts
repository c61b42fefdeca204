export interface Turns {
  run(work: () => Promise<void>): Promise<void>;
  /** Resolves when all work that was given so far has ended. */
  idle(): Promise<void>;
}

/** One piece of work after another: faults overlap, and a server can be restarted only once at a time. */
export function inTurn(): Turns {
  let turn: Promise<void> = Promise.resolve();
  return {
    run: (work) => {
      const next = turn.then(work);
      turn = next.catch(() => undefined);
      return next;
    },
    idle: () => turn,
  };
}
