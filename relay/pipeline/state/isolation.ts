/** The publisher of one outbox, which stops while a message must be alone. */
export interface IsolationMember {
  /** Messages with the sink. */
  readonly inFlight: number;
  /** True: publish nothing more. False: go on. */
  setIsolated(on: boolean): void;
}

/** Longest wait for messages in flight; sinks give up on a message sooner. */
const QUIET_MS = 60_000;
const STEP_MS = 2;

/**
 * Lets one message at a time be the only one that this process has with any sink, of any outbox: if the process dies
 * then, that message is to blame. Shared by all relays of a process.
 */
export class Isolation {
  readonly #members = new Set<IsolationMember>();
  #turn: Promise<unknown> = Promise.resolve();
  #isolated = false;

  join(member: IsolationMember): void {
    this.#members.add(member);
    if (this.#isolated) member.setIsolated(true);
  }

  leave(member: IsolationMember): void {
    this.#members.delete(member);
    member.setIsolated(false);
  }

  /** Runs `work` once nothing is with any sink, then lets everyone go on. Calls run one after the other. */
  alone(work: () => Promise<void>, stopped: () => boolean): Promise<void> {
    const turn = this.#turn.then(() => this.#isolate(work, stopped));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #isolate(work: () => Promise<void>, stopped: () => boolean): Promise<void> {
    if (stopped()) return;
    this.#isolated = true;
    for (const member of this.#members) member.setIsolated(true);
    try {
      if (await this.#quiet(stopped)) await work();
    } finally {
      this.#isolated = false;
      for (const member of this.#members) member.setIsolated(false);
    }
  }

  async #quiet(stopped: () => boolean): Promise<boolean> {
    const deadline = performance.now() + QUIET_MS;
    const busy = () => [...this.#members].some(({ inFlight }) => inFlight > 0);
    while (busy() && !stopped() && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
    return !busy() && !stopped();
  }
}
