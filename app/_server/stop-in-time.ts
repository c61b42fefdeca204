import { logDestination } from "#services/log-destination.ts";
import { listenForStop } from "#services/stop-signals.ts";

/** Limits how long a stop may take. Next itself waits for open requests without limit and ignores a second signal. */
export function stopInTime(): void {
  const destination = logDestination(2);
  const say = (facts: object, message: string) =>
    destination.write(`${JSON.stringify({ name: "console", ...facts, msg: message })}\n`);
  listenForStop({ log: { info: say, error: say }, leftUndone: () => ["open requests"] });
}
