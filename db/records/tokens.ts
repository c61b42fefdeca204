import type { Pool, PoolClient } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";

export interface TokenRow {
  id: string;
  name: string;
  scope: string;
  /** Null: every outbox. */
  outboxes: string[] | null;
  createdAt: string;
  createdBy: string;
  expiresAt: string;
  usedAt: string | null;
  usedFrom: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
}

export interface NewTokenRow extends Pick<TokenRow, "id" | "name" | "scope" | "outboxes" | "createdBy"> {
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  days: number;
}

/** Revoked and expired tokens are listed this long. */
const KEPT = "interval '30 days'";

const COLUMNS = `id, name, scope, outboxes, ${instantText("created_at")} AS "createdAt", created_by AS "createdBy",
  ${instantText("expires_at")} AS "expiresAt", ${instantText("used_at")} AS "usedAt", used_from AS "usedFrom",
  ${instantText("revoked_at")} AS "revokedAt", revoked_by AS "revokedBy"`;

/** Newest first. */
export async function readTokens(db: Pool, limit: number): Promise<TokenRow[]> {
  const { rows } = await db.query<TokenRow>(
    `SELECT ${COLUMNS} FROM outbox_console_app.api_token
     WHERE coalesce(revoked_at, expires_at) > clock_timestamp() - ${KEPT}
     ORDER BY outbox_console_app.api_token.created_at DESC, id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** False if `most` tokens are valid already. */
export async function insertToken(client: PoolClient, token: NewTokenRow, most: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO outbox_console_app.api_token (id, name, scope, outboxes, hash, created_by, expires_at)
     SELECT $1, $2, $3, $4::json, $5, $6, clock_timestamp() + make_interval(days => $7)
     WHERE (SELECT count(*) FROM outbox_console_app.api_token WHERE revoked_at IS NULL AND expires_at > clock_timestamp()) < $8`,
    [
      token.id,
      token.name,
      token.scope,
      token.outboxes === null ? null : JSON.stringify(token.outboxes),
      token.hash,
      token.createdBy,
      token.days,
      most,
    ],
  );
  return rowCount === 1;
}

/** The name of the token; null if there is none that is valid. */
export async function revokeToken(client: PoolClient, input: { id: string; by: string }): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `UPDATE outbox_console_app.api_token SET revoked_at = clock_timestamp(), revoked_by = $2
     WHERE id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp() RETURNING name`,
    [input.id, input.by],
  );
  return rows[0]?.name ?? null;
}

/** Every token that is valid now, by its hash. Their number is limited. */
export async function readValidTokens(db: Pool): Promise<Map<string, TokenRow>> {
  const { rows } = await db.query<TokenRow & { hash: string }>(
    `SELECT ${COLUMNS}, hash FROM outbox_console_app.api_token WHERE revoked_at IS NULL AND expires_at > clock_timestamp()`,
  );
  return new Map(rows.map(({ hash, ...row }) => [hash, row]));
}

/** Records that a token was used, to the minute. */
export async function noteTokenUse(db: Pool, input: { id: string; from: string }): Promise<void> {
  await db.query(
    `UPDATE outbox_console_app.api_token SET used_at = clock_timestamp(), used_from = $2
     WHERE id = $1 AND (used_at IS NULL OR used_at < clock_timestamp() - interval '1 minute')`,
    [input.id, input.from],
  );
}
