import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { connectionString } from "#db/stores/postgres/connection/connection-string.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Calls `onHint` at every NOTIFY of a channel, and once after each connect because earlier ones may be lost. Uses its
 * own connection, which reconnects automatically; while it is down there are only no hints.
 */
export function listen(input: {
  url: string;
  channel: string;
  onHint: () => void;
  onError: (error: unknown) => void;
}): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const running = keepListening(input, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function keepListening(input: Parameters<typeof listen>[0], signal: AbortSignal): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    try {
      await listenOnce(input, signal, () => {
        retryMs = FIRST_RETRY_MS;
      });
    } catch (error) {
      input.onError(error);
    }
    await delay(signal.aborted ? 0 : retryMs, undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }
}

/** Resolves when the connection has ended or `signal` is aborted. */
async function listenOnce(
  { url, channel, onHint, onError }: Parameters<typeof listen>[0],
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: connectionString(url),
    application_name: "outbox-console relay hints",
    connectionTimeoutMillis: 3000,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => {
    client.once("end", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  client.on("error", onError);
  client.on("notification", onHint);
  try {
    await client.connect();
    await client.query(`LISTEN ${quoteIdentifier(channel)}`);
    onConnected();
    onHint();
    await ended;
  } finally {
    await client.end().catch(() => undefined);
  }
}
