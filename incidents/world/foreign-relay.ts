import pg from "pg";

export interface ForeignRelay {
  /** Ids that it published. */
  published: ReadonlySet<string>;
  publish(ids: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** A library that publishes right after the producer's commit and marks the rows itself. */
export async function startForeignRelay(url: string, table: string): Promise<ForeignRelay> {
  const client = new pg.Client({ connectionString: url, application_name: "legacy-publisher" });
  client.on("error", () => undefined);
  await client.connect();
  const published = new Set<string>();
  return {
    published,
    publish: async (ids) => {
      const { rows } = await client.query<{ id: string }>(
        `UPDATE ${table} SET published_at = clock_timestamp() WHERE id = ANY($1) AND published_at IS NULL RETURNING id`,
        [ids],
      );
      for (const { id } of rows) published.add(id);
    },
    stop: () => client.end(),
  };
}
