import { StoreError } from "../../port/store-error.ts";

/** Longest wait for a turn, ms: as long as a statement may take. */
const LONGEST_WAIT_MS = 10_000;

export interface TurnLimits {
  /** Most turns at once, of all relays together. */
  all: number;
  /** The same of one relay: one whose table is locked or has no index leaves connections to the others. */
  each: number;
}

interface Waiting {
  relay: RelayTurns;
  urgent: boolean;
  begin(): void;
  refuse(error: Error): void;
}

/**
 * Turns at the connections that the relays of one store share. They come in the order of asking; urgent work, such as
 * renewing a lease, goes before other work and has a few turns to itself, because a lease that ends costs repeats.
 */
export class ConnectionTurns {
  readonly #limits: TurnLimits;
  readonly #forUrgentWork: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#forUrgentWork = Math.min(2, Math.floor(limits.all / 4));
  }

  /** The turns of one more relay. */
  join(): RelayTurns {
    return new RelayTurns({
      take: (relay, urgent) => this.#take(relay, urgent),
      end: () => this.#end(),
      leave: (relay) => this.#leave(relay),
    });
  }

  async #take(relay: RelayTurns, urgent: boolean): Promise<void> {
    if (this.#mayBegin(relay, urgent)) this.#begin(relay);
    else await this.#wait(relay, urgent);
  }

  #mayBegin(relay: RelayTurns, urgent: boolean): boolean {
    const { all, each } = this.#limits;
    return relay.taken < each && this.#taken < all - (urgent ? 0 : this.#forUrgentWork);
  }

  #begin(relay: RelayTurns): void {
    this.#taken += 1;
    relay.taken += 1;
  }

  #wait(relay: RelayTurns, urgent: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = { relay, urgent, begin: resolve, refuse: reject };
    const firstOther = urgent ? this.#waiting.findIndex((other) => !other.urgent) : -1;
    this.#waiting.splice(firstOther < 0 ? this.#waiting.length : firstOther, 0, entry);
    const timer = setTimeout(() => this.#refuse(entry, this.#allTaken(relay)), LONGEST_WAIT_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  #refuse(entry: Waiting, error: Error): void {
    const place = this.#waiting.indexOf(entry);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    entry.refuse(error);
  }

  #allTaken(relay: RelayTurns): Error {
    const { all, each } = this.#limits;
    const whose =
      relay.taken < each
        ? `None of the ${all} connections that the relays of this store share`
        : `None of the ${each} connections of this relay`;
    const message = `${whose} became free within ${LONGEST_WAIT_MS / 1000} s: their statements wait for locks, or are slow.`;
    return new StoreError("unreachable", "unavailable", message, {});
  }

  #end(): void {
    this.#taken -= 1;
    for (let place = 0; place < this.#waiting.length; ) {
      const entry = this.#waiting[place] as Waiting;
      if (!this.#mayBegin(entry.relay, entry.urgent)) {
        place += 1;
        continue;
      }
      this.#waiting.splice(place, 1);
      this.#begin(entry.relay);
      entry.begin();
    }
  }

  #leave(relay: RelayTurns): void {
    for (const entry of this.#waiting.filter((waiting) => waiting.relay === relay)) this.#refuse(entry, closed());
  }
}

interface TurnDesk {
  take(relay: RelayTurns, urgent: boolean): Promise<void>;
  end(): void;
  leave(relay: RelayTurns): void;
}

/** One relay's turns. */
export class RelayTurns {
  readonly #desk: TurnDesk;
  #left: PromiseWithResolvers<void> | null = null;
  /** Turns that it has now; counted by the desk. */
  taken = 0;

  constructor(desk: TurnDesk) {
    this.#desk = desk;
  }

  /** Resolves when a turn begins. Throws unreachable if none does for 10 s. */
  async take(urgent: boolean): Promise<void> {
    if (this.#left) throw closed();
    await this.#desk.take(this, urgent);
  }

  end(): void {
    this.taken -= 1;
    this.#desk.end();
    if (this.taken === 0) this.#left?.resolve();
  }

  /** No more turns; resolves when those that were taken have ended. */
  async leave(): Promise<void> {
    this.#left ??= Promise.withResolvers();
    this.#desk.leave(this);
    if (this.taken === 0) this.#left.resolve();
    await this.#left.promise;
  }
}

function closed(): Error {
  return new Error("The connections of this relay are closed.");
}
