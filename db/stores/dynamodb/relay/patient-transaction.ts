import { setTimeout as delay } from "node:timers/promises";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { cancelledBy } from "../connection/cancelled.ts";
import type { Link } from "../connection/link.ts";

const TRIES = 10;
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;

/**
 * A transaction that is tried again while others change the same items, as DynamoDB asks of its callers. Throws what
 * still fails after about a second; TransactionCanceledException at once if a condition does not hold.
 */
export async function transactPatiently(link: Link, writes: TransactWriteItem[]): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await link.transact(writes);
    } catch (error) {
      const cancelled = cancelledBy(error);
      if (!cancelled?.conflict || cancelled.failed.length > 0 || tried === TRIES) throw error;
      await delay(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried) * (0.5 + Math.random() / 2));
    }
  }
}
