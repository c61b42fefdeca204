import type { StoreHandle } from "../runtime.ts";
import { Semaphore } from "./semaphore.ts";

/** Runs at most `atOnce` tasks of each store at once; a slow store delays no other. */
export class StoreTurns {
  readonly #atOnce: number;
  readonly #ofStores = new WeakMap<StoreHandle, Semaphore>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  run<Value>(store: StoreHandle, work: () => Promise<Value>): Promise<Value> {
    const turns = this.#ofStores.get(store) ?? new Semaphore(this.#atOnce);
    this.#ofStores.set(store, turns);
    return turns.run(work);
  }
}
