import { logDestination } from "#services/log-destination.ts";
import { listenForStop } from "#services/stop-signals.ts";
import { followConnections } from "./close-connections.ts";

/**
 * Limits how long a stop may take. Next itself waits for every connection without limit and ignores a second signal;
 * here only open requests are waited for.
 */
export function stopInTime(): void {
  const destination = logDestination(2);
  const say = (facts: object, message: string) =>
    destination.write(`${JSON.stringify({ name: "console", ...facts, msg: message })}\n`);
  const connections = followConnections();
  const { signal } = listenForStop({ log: { info: say, error: say }, leftUndone: () => ["open requests"] });
  signal.addEventListener("abort", () => connections.closeUnused());
}
