/** A `Date` header has whole seconds. */
const HEADER_STEP_MS = 1_000;

/**
 * This process's clock minus the server's, ms, by the `Date` header of an answer; 0 if the header's seconds or the time
 * that the answer took may explain the difference.
 */
export function clockOffsetMs(header: string | undefined, sentMs: number, receivedMs: number): number {
  const serverMs = Date.parse(header ?? "");
  if (Number.isNaN(serverMs)) return 0;
  const offset = (sentMs + receivedMs) / 2 - (serverMs + HEADER_STEP_MS / 2);
  const doubt = (receivedMs - sentMs) / 2 + HEADER_STEP_MS / 2;
  return Math.abs(offset) <= doubt ? 0 : Math.round(offset);
}
