import pg from "pg";
import { connectionString } from "../connection/connection-string.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** Values must have the same text as in the relay's other sessions, and a long read must not be cut short. */
const SETTINGS = ["TimeZone=UTC", "DateStyle=ISO", "bytea_output=hex", "statement_timeout=0", "lock_timeout=5000"];

/** A separate connection, direct to the server. `replication`: it accepts commands of the replication protocol. */
export async function openSession(url: string, replication = false): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: connectionString(url),
    application_name: "outbox-console change-over",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...(replication ? { replication: "database" } : {}),
  } as pg.ClientConfig);
  // A connection that dies fails its next query.
  client.on("error", () => undefined);
  await client.connect();
  if (!replication) for (const setting of SETTINGS) await client.query(`SET ${setting.replace("=", " = '")}'`);
  return client;
}
