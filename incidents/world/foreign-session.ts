import pg from "pg";

/** A foreign session whose transaction stays open until it is ended. */
export class ForeignSession {
  readonly #client: pg.Client;
  readonly pid: number;

  private constructor(client: pg.Client, pid: number) {
    this.#client = client;
    this.pid = pid;
  }

  static async open(url: string, applicationName: string): Promise<ForeignSession> {
    const client = new pg.Client({ connectionString: url, application_name: applicationName });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await client.query("BEGIN");
    return new ForeignSession(client, rows[0]?.pid ?? 0);
  }

  async query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.#client.query<Record<string, unknown>>(sql, values)).rows;
  }

  /** Rolls back. */
  async end(): Promise<void> {
    await this.#client.query("ROLLBACK").catch(() => undefined);
    await this.#client.end().catch(() => undefined);
  }
}
