import { setTimeout as delay } from "node:timers/promises";
import type { DebeziumConfig } from "../../config/debezium-schema.ts";
import { type ConnectClient, openConnect } from "../connect-client.ts";
import { ConnectError } from "../connect-error.ts";

/** Kafka Connect gives up a request itself after 90 s. */
const ANSWER_MS = 30_000;
const REBALANCE_MS = 60_000;
const AGAIN_MS = 500;

export type PatientConnect = Pick<ConnectClient, "status" | "config" | "offsets" | "stop">;

/**
 * Kafka Connect for a command that is half done where it gives up: waits longer for an answer than a page may, and asks
 * again for a minute while Connect rebalances, as it does after each change of a connector. Throws ConnectError.
 */
export function openPatiently(debezium: DebeziumConfig): PatientConnect {
  const client = openConnect(debezium, ANSWER_MS);
  return {
    status: () => pastRebalance(client.status),
    config: () => pastRebalance(client.config),
    offsets: () => pastRebalance(client.offsets),
    stop: () => pastRebalance(client.stop),
  };
}

async function pastRebalance<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + REBALANCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await delay(AGAIN_MS);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ConnectError && error.kind === "busy";
}
