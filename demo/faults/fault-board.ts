import { FAULT_NAMES, type Fault } from "#contracts/demo.ts";
import { FAULT_TEXTS } from "./fault-texts.ts";

export type FaultName = Fault["name"];

/** Switches one fault on and off. A `begin` that throws leaves the fault off. */
export interface FaultSwitch {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** The faults, each with the time at which it was switched on. Switching is serialised in the order of the requests. */
export class FaultBoard {
  readonly #switches: Record<FaultName, FaultSwitch>;
  readonly #texts: typeof FAULT_TEXTS;
  readonly #since = new Map<FaultName, Date>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(switches: Record<FaultName, FaultSwitch>, texts = FAULT_TEXTS) {
    this.#switches = switches;
    this.#texts = texts;
  }

  isActive(name: FaultName): boolean {
    return this.#since.has(name);
  }

  list(): Fault[] {
    return FAULT_NAMES.map((name) => ({
      name,
      ...this.#texts[name],
      active: this.isActive(name),
      since: this.#since.get(name)?.toISOString() ?? null,
    }));
  }

  set(name: FaultName, active: boolean): Promise<void> {
    const done = this.#last.then(() => this.#switch(name, active));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Called by a fault that ends on its own. */
  noteOver(name: FaultName): void {
    this.#since.delete(name);
  }

  async endAll(): Promise<void> {
    for (const name of FAULT_NAMES) await this.set(name, false);
  }

  async #switch(name: FaultName, active: boolean): Promise<void> {
    if (active === this.isActive(name)) return;
    if (!active) {
      await this.#switches[name].end();
      this.#since.delete(name);
      return;
    }
    this.#since.set(name, new Date());
    try {
      await this.#switches[name].begin();
    } catch (error) {
      this.#since.delete(name);
      throw error;
    }
  }
}
