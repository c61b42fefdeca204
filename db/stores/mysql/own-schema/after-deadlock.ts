import { setTimeout as delay } from "node:timers/promises";
import { DEADLOCK, errorNumber } from "../connection/database-error.ts";

const TRIES = 4;

/** Tries a transaction again that the server rolled back to end a deadlock: nothing of it was written. */
export async function afterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= TRIES || errorNumber(error) !== DEADLOCK) throw error;
      await delay(5 * 2 ** attempt * Math.random());
    }
  }
}
