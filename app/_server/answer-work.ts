import type { ServerResponse } from "node:http";

/** Longest time that an answer may wait for its reader to take some of it. */
const UNREAD_MS = 30_000;

/**
 * Resolves when the work on an answer is over: it is written to its end, its connection is closed, or it waits for a reader who
 * takes it slowly. Memory of unread answers stays small, because a handler stops writing until some is read.
 */
export function workOn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.once("prefinish", resolve);
    const write = response.write;
    response.write = function (this: ServerResponse, ...given: Parameters<typeof write>) {
      const goesOn = write.apply(this, given);
      if (!goesOn) resolve();
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
