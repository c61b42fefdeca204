import { setTimeout as delay } from "node:timers/promises";
import type { ShopDatabase } from "../database/shop-database.ts";
import { settleOrder, shipOrder } from "./advance-order.ts";
import type { Random } from "./catalogue.ts";
import { eventRateAt } from "./event-rate.ts";
import { placeOrders } from "./place-orders.ts";
import { RecentCount } from "./recent-count.ts";
import { registerCustomers } from "./register-customers.ts";
import { addInstalment } from "./standing-order.ts";

const TICK_MS = 50;
const MAX_AT_ONCE = 4;
const LONGEST_PAUSE_MS = 5_000;
const INSTALMENT_EVERY_MS = 1_000;

export interface ShopWriterOptions {
  database: ShopDatabase;
  standingOrderId: string;
  /** Currency of the standing order's next instalment. */
  instalmentCurrency: () => string;
  random?: Random;
  onTrouble: (error: unknown) => void;
}

/** Simulates customers: places, pays, ships and cancels orders at the current rate. */
export class ShopWriter {
  readonly #options: ShopWriterOptions & { random: Random };
  readonly #placed = new RecentCount(10_000);
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #fixedRate: number | null = null;
  #credit = 0;
  #nextInstalmentAt = 0;
  #failures = 0;
  #loop: Promise<void> | null = null;

  constructor(options: ShopWriterOptions) {
    this.#options = { random: Math.random, ...options };
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.all(this.#running);
  }

  /** Events per second; null follows the wave. */
  setRate(eventsPerSecond: number | null): void {
    this.#fixedRate = eventsPerSecond;
  }

  ordersPerSecond(): number {
    return this.#placed.perSecond();
  }

  noteOrders(count: number): void {
    this.#placed.add(count);
  }

  /** Starts the work due after `elapsedMs` more of shop time; used by tests and by the loop. */
  runOnce(elapsedMs: number, rate: number): void {
    this.#credit = Math.min(this.#credit + (rate * elapsedMs) / 1000, rate * 2);
    while (this.#credit >= 1 && this.#running.size < MAX_AT_ONCE) {
      this.#credit -= 1;
      this.#launch(() => this.#act());
    }
  }

  /** Waits until all started work has committed. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const startedAt = performance.now();
    let last = startedAt;
    while (!signal.aborted) {
      const now = performance.now();
      this.runOnce(Math.min(now - last, 1_000), this.#fixedRate ?? eventRateAt((now - startedAt) / 1000));
      if (now >= this.#nextInstalmentAt) {
        this.#nextInstalmentAt = now + INSTALMENT_EVERY_MS;
        this.#launch(() => this.#addInstalment());
      }
      last = now;
      const pauseMs = this.#failures > 0 ? Math.min(250 * 2 ** this.#failures, LONGEST_PAUSE_MS) : TICK_MS;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #launch(act: () => Promise<number>): void {
    const done: Promise<void> = act()
      .then(
        (events) => {
          this.#failures = 0;
          // The first event was counted when it was launched.
          this.#credit -= Math.max(0, events - 1);
        },
        (error: unknown) => {
          this.#failures = Math.min(this.#failures + 1, 10);
          this.#options.onTrouble(error);
        },
      )
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async #act(): Promise<number> {
    const { database, random } = this.#options;
    const dice = random();
    if (dice < 0.05) return registerCustomers(database, { count: 1, random });
    if (dice < 0.38) return this.#place();
    const events = dice < 0.7 ? await settleOrder(database, random) : await shipOrder(database, random);
    return events > 0 ? events : this.#place();
  }

  async #place(): Promise<number> {
    const { database, random } = this.#options;
    const events = await placeOrders(database, { count: 1, random });
    this.noteOrders(events);
    return events;
  }

  #addInstalment(): Promise<number> {
    const { database, random, standingOrderId, instalmentCurrency } = this.#options;
    return addInstalment(database, { orderId: standingOrderId, currency: instalmentCurrency(), random });
  }
}
