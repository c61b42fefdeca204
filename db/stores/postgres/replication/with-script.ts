import pg from "pg";
import { connectionString } from "#db/stores/postgres/connection/connection-string.ts";
import type { RelaySession } from "../connection/sessions.ts";

const TIMEOUT_MS = 10_000;

/** Opens a connection for a few statements without parameters. */
export async function withScript<T>(
  url: string,
  work: (session: Pick<RelaySession, "script">) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: connectionString(url),
    application_name: "outbox-console",
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A connection that dies fails its statement; without a listener the event would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work({
      async script(text) {
        const result: unknown = await client.query({ text, rowMode: "array" });
        const parts = Array.isArray(result) ? result : [result];
        return parts.map((part: pg.QueryArrayResult<(string | null)[]>) => part.rows);
      },
    });
  } finally {
    await client.end();
  }
}
