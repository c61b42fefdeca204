import type { PoolClient } from "pg";
import type { OldTransaction } from "#domain/diagnosis/facts/sessions.ts";
import { endTransactionSql, notOurSession, shownQuery } from "../own-schema/our-sessions.ts";
import { instantText } from "../tables/mapping-sql.ts";

/**
 * Long-open transactions of this database that hold back vacuum (they have a snapshot or have written) or new rows
 * (they have written). Includes prepared transactions, which belong to no session and are easily forgotten.
 */
const OLD_TRANSACTIONS_SQL = `
SELECT a.pid, NULL::text AS "preparedId", a.usename AS "user", nullif(a.application_name, '') AS "applicationName", a.state,
  ${instantText("a.xact_start")} AS "transactionAt", ${shownQuery("a.query")} AS query, a.backend_xid IS NOT NULL AS "holdsBackNewRows"
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND ${notOurSession("a")}
  AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL)
  -- Its owner has committed it: a standby is awaited.
  AND a.wait_event IS DISTINCT FROM 'SyncRep'
  AND a.xact_start < clock_timestamp() - make_interval(secs => $1)
UNION ALL
SELECT NULL, p.gid, p.owner, NULL, 'prepared', ${instantText("p.prepared")}, NULL, true
FROM pg_prepared_xacts p
WHERE p.database = current_database() AND p.prepared < clock_timestamp() - make_interval(secs => $1)
ORDER BY "transactionAt" LIMIT 20`;

export async function readOldTransactions(client: PoolClient, ageSeconds: number): Promise<OldTransaction[]> {
  const { rows } = await client.query<OldRow>(OLD_TRANSACTIONS_SQL, [ageSeconds]);
  return rows.map((row) => ({ ...row, endStatement: endTransactionSql(row.pid, row.preparedId) }));
}

type OldRow = Omit<OldTransaction, "endStatement">;
