import pg from "pg";

export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.toString();
}

export async function ensureDatabases(url: string, names: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "outbox-console start" });
  // A connection that dies fails its statement; without a listener the event would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>("SELECT datname FROM pg_database");
    const present = new Set(rows.map((row) => row.datname));
    for (const name of names) {
      if (!present.has(name)) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
}
