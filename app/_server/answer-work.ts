import type { ServerResponse } from "node:http";

/** Longest time that an answer may wait for its reader to take some of it. */
const UNREAD_MS = 30_000;

/** A reader who takes longer for what was written keeps the handler waiting, not working. */
const SLOW_MS = 100;

/**
 * Resolves when the work on an answer is over: it is written to its end, its connection is closed, or it has waited for
 * its reader for 100 ms. A handler that heeds a full buffer, as Next does, then goes on only as fast as it is read.
 */
export function workOn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    let slow: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(slow);
      resolve();
    };
    response.once("close", end);
    response.once("prefinish", end);
    response.on("drain", () => {
      clearTimeout(slow);
      slow = undefined;
    });
    const write = response.write;
    response.write = function (this: ServerResponse, ...given: Parameters<typeof write>) {
      const goesOn = write.apply(this, given);
      if (!goesOn) slow ??= setTimeout(end, SLOW_MS);
      return goesOn;
    } as typeof write;
  });
}

/** Closes the connection of an answer that nobody has read any of for half a minute. */
export function closeIfUnread(response: ServerResponse, afterMs = UNREAD_MS): void {
  // Also emitted while a handler still works, when nothing waits to be read.
  response.setTimeout(afterMs, () => {
    if ((response.socket?.writableLength ?? 0) > 0) response.socket?.destroy();
  });
}
