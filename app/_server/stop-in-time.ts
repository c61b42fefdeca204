import { listenForStop } from "#services/stop-signals.ts";

/** Next waits for every request that is open, however long that takes, and takes no notice of a second signal. */
export function stopInTime(): void {
  const say = (facts: object, message: string) =>
    process.stderr.write(`${JSON.stringify({ name: "console", ...facts, msg: message })}\n`);
  listenForStop({ log: { info: say, error: say }, leftUndone: () => ["whatever requests were open"] });
}
