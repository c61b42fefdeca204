import { MOST_AT_ONCE } from "#contracts/message/operations.ts";
import type { BulkAction } from "#domain/message/bulk-operation.ts";
import { whyNoMonitor } from "../../monitor-alive.ts";
import type { Runtime } from "../../runtime.ts";

/** Sentence: why a database takes no operation over many messages. */
export function noBulkIn(database: string): string {
  return `Operations over more than ${MOST_AT_ONCE} messages are not possible in ${database}: select up to ${MOST_AT_ONCE}.`;
}

/** Why no worker carries out an operation over many messages, as sentences; null if one does. */
export async function whyNoWorker(runtime: Runtime, action: BulkAction): Promise<string | null> {
  const why = await whyNoMonitor(runtime, "do it");
  if (why === null || action === "republish") return why;
  return `${why} Up to ${MOST_AT_ONCE} messages can be acted on without a worker.`;
}
