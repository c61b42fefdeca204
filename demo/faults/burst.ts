import type { FaultSwitch } from "./fault-board.ts";

const ORDERS = 2_000;
const PER_TRANSACTION = 100;

/** Writes 2,000 orders as fast as the database accepts them, then switches itself off. */
export function burst(options: {
  placeOrders: (count: number) => Promise<void>;
  onOver: () => void;
  onTrouble: (error: unknown) => void;
}): FaultSwitch {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async () => {
    for (let placed = 0; placed < ORDERS && !stopped; placed += PER_TRANSACTION) {
      await options.placeOrders(PER_TRANSACTION);
    }
  };
  return {
    begin: async () => {
      stopped = false;
      running = run().catch(options.onTrouble).finally(options.onOver);
    },
    end: async () => {
      stopped = true;
      await running;
    },
  };
}
