import { setTimeout as delay } from "node:timers/promises";
import { readProcessStart } from "./process-identity.mjs";

const FAST_MS = 10_000;
const IMMEDIATE_MS = 5_000;

/**
 * Fast shutdown first. It waits until every logical replication client has received everything, which a stuck client
 * can delay indefinitely, so an immediate shutdown follows after 10 s. The next start then recovers from the WAL.
 */
export async function stopServer(pid: number): Promise<void> {
  if (await signalAndWait(pid, "SIGINT", FAST_MS)) return;
  if (await signalAndWait(pid, "SIGQUIT", IMMEDIATE_MS)) return;
  await signalAndWait(pid, "SIGKILL", IMMEDIATE_MS);
}

async function signalAndWait(pid: number, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const startedAt = readProcessStart(pid);
  if (startedAt === null || !sendSignal(pid, signal)) return true;
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (readProcessStart(pid) !== startedAt) return true;
    await delay(10);
  }
  return false;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
