import pg from "pg";
import { connectionString } from "#db/stores/postgres/connection/connection-string.ts";
import { RelayPool, type RelayPoolLimits, type SharedConnections } from "#db/stores/shared/connection/relay-pool.ts";
import { surviveLostConnections } from "./pool.ts";
import { CLIENT_TIMEOUT_MS, sessionAssignments } from "./session-settings.ts";

const CONNECT_TIMEOUT_MS = 3000;

export type PostgresRelayPool = RelayPool<RelayConnections>;

export function openRelayPool({ url, ...limits }: { url: string } & RelayPoolLimits): PostgresRelayPool {
  return new RelayPool((most) => new RelayConnections(url, most), limits);
}

/** The relays' connections to one database, and what each relay has prepared on which of them. */
export class RelayConnections implements SharedConnections {
  readonly #pool: pg.Pool;
  /** True if the connection is not pooled: its settings and prepared statements stay ours. */
  readonly #direct = new WeakMap<pg.PoolClient, boolean>();
  readonly #prepared = new Map<pg.PoolClient, Map<number, Set<string>>>();
  /** Connections with statements of relays that have left; closed after their next use. */
  readonly #retired = new WeakSet<pg.PoolClient>();

  constructor(url: string, most: number) {
    this.#pool = new pg.Pool({
      connectionString: connectionString(url),
      application_name: "outbox-console relay",
      max: most,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CLIENT_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
    surviveLostConnections(this.#pool);
    this.#pool.on("remove", (client) => void this.#prepared.delete(client as pg.PoolClient));
  }

  /** A connection for one relay, with the names of the statements that it has prepared on it. */
  async take(relay: number): Promise<{ client: pg.PoolClient; direct: boolean; prepared: Set<string> }> {
    const client = await this.#pool.connect();
    try {
      const direct = this.#direct.get(client) ?? (await this.#begin(client));
      return { client, direct, prepared: this.#preparedBy(relay, client) };
    } catch (error) {
      client.release(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** An error closes the connection. */
  giveBack(client: pg.PoolClient, broken: Error | undefined): void {
    client.release(broken ?? this.#retired.has(client));
  }

  left(relay: number): void {
    for (const [client, relays] of this.#prepared) if (relays.has(relay)) this.#retired.add(client);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #preparedBy(relay: number, client: pg.PoolClient): Set<string> {
    const relays = this.#prepared.get(client) ?? new Map<number, Set<string>>();
    const names = relays.get(relay) ?? new Set<string>();
    this.#prepared.set(client, relays.set(relay, names));
    return names;
  }

  /**
   * Detects a pooler: it reports another process id than the server's. Settings of a pooled session would reach other
   * clients, so none are set.
   */
  async #begin(client: pg.PoolClient): Promise<boolean> {
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    const direct = "processID" in client && client.processID === rows[0]?.pid;
    if (direct) await client.query(sessionAssignments("SET"));
    this.#direct.set(client, direct);
    return direct;
  }
}
