import type { Pool, PoolClient } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";

export interface ViewRow {
  id: string;
  name: string;
  query: Record<string, string>;
  columns: string[];
  createdBy: string;
  createdAt: string;
}

export interface NewViewRow extends Pick<ViewRow, "name" | "query" | "columns" | "createdBy"> {
  outbox: string;
}

/** Shared views of an outbox, by name. */
export async function readViews(db: Pool, outbox: string): Promise<ViewRow[]> {
  const { rows } = await db.query<ViewRow>(
    `SELECT id, name, query, columns, created_by AS "createdBy", ${instantText("created_at")} AS "createdAt"
     FROM outbox_console_app.saved_view WHERE outbox = $1 ORDER BY lower(name), name`,
    [outbox],
  );
  return rows;
}

/** One change at a time: two could find the same name free, or the same number of views. */
const LOCK = "LOCK TABLE outbox_console_app.saved_view IN SHARE ROW EXCLUSIVE MODE";

/** False if the outbox has `most` views, or one with this name. */
export async function insertView(client: PoolClient, view: NewViewRow, most: number): Promise<boolean> {
  await client.query(LOCK);
  const { rowCount } = await client.query(
    `INSERT INTO outbox_console_app.saved_view (id, outbox, name, query, columns, created_by)
     SELECT gen_random_uuid(), $1, $2, $3::json, $4::json, $5
     WHERE (SELECT count(*) FROM outbox_console_app.saved_view WHERE outbox = $1) < $6
     ON CONFLICT (outbox, name) DO NOTHING`,
    [view.outbox, view.name, JSON.stringify(view.query), JSON.stringify(view.columns), view.createdBy, most],
  );
  return rowCount === 1;
}

/** The old name; null if there is no such view, or another one with this name. */
export async function renameView(
  client: PoolClient,
  view: { outbox: string; id: string; name: string },
): Promise<string | null> {
  await client.query(LOCK);
  const { rows } = await client.query<{ name: string }>(
    `UPDATE outbox_console_app.saved_view AS view SET name = $3
     FROM (SELECT id, name FROM outbox_console_app.saved_view WHERE outbox = $1 AND id = $2 FOR UPDATE) AS old
     WHERE view.id = old.id AND NOT EXISTS (SELECT 1 FROM outbox_console_app.saved_view WHERE outbox = $1 AND name = $3 AND id <> $2)
     RETURNING old.name`,
    [view.outbox, view.id, view.name],
  );
  return rows[0]?.name ?? null;
}

/** Its name; null if there is no such view. */
export async function deleteView(client: PoolClient, view: { outbox: string; id: string }): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    "DELETE FROM outbox_console_app.saved_view WHERE outbox = $1 AND id = $2 RETURNING name",
    [view.outbox, view.id],
  );
  return rows[0]?.name ?? null;
}
