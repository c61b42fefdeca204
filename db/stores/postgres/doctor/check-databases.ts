import type { Pool } from "pg";
import { groupByLogin } from "#db/stores/shared/connection/group-by-login.ts";
import type { DatabaseUse, DoctorFinding } from "../../port/doctor.ts";
import { toDatabaseError } from "../connection/database-error.ts";
import { createPool, splitPooler } from "../connection/pool.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";
import { checkAppendOnly } from "./check-append-only.ts";
import { checkConnections } from "./check-connections.ts";
import { checkWritable } from "./check-writable.ts";
import { lackingOnOwnTables, ownGrants } from "./own-table-grants.ts";

const RECORDS = "outbox_console_app";

/**
 * Checks that each database accepts the writes it is opened for and has enough connections for one console and one
 * worker. Changes nothing.
 */
export async function checkDatabases(uses: readonly DatabaseUse[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const ofLogin of groupByLogin(uses)) findings.push(...(await checkLogin(ofLogin)));
  return findings;
}

async function checkLogin(uses: readonly DatabaseUse[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  let counted = false;
  for (const [url, ofUrl] of Map.groupBy(uses, (use) => use.url)) {
    const name = ofUrl[0]?.name ?? url;
    const pool = createPool({
      url,
      applicationName: "outbox-console doctor",
      readOnly: false,
      max: 1,
      statementTimeoutMs: 5000,
    });
    try {
      if (ofUrl.some((use) => use.writes))
        findings.push(...(await checkWritable(pool, name)), ...(await checkAppendOnly(pool, name)));
      if (ofUrl.some((use) => use.records)) findings.push(...(await checkRecordsGrants(pool, name)));
      // Connections behind a pooler are the pooler's to count.
      if (!counted && !splitPooler(url).pooled) {
        counted = true;
        findings.push(...(await countFor(pool, uses)));
      }
    } catch (error) {
      findings.push({ level: "bad", text: toDatabaseError(error, name).message });
    } finally {
      await pool.end();
    }
  }
  return findings;
}

/** Nothing where the schema is missing: the console then says to run migrate. */
async function checkRecordsGrants(pool: Pool, name: string): Promise<DoctorFinding[]> {
  const { rows } = await pool.query<{ user: string; usage: boolean }>(
    "SELECT current_user AS user, has_schema_privilege(oid, 'USAGE') AS usage FROM pg_namespace WHERE nspname = $1",
    [RECORDS],
  );
  const [role] = rows;
  if (!role) return [];
  if (!role.usage) {
    const user = quoteIdentifier(role.user);
    return [
      { level: "bad", text: `${name}: ${role.user} may not use the schema ${RECORDS}`, fix: ownGrants(RECORDS, user) },
    ];
  }
  const lacking = await lackingOnOwnTables(pool, { schema: RECORDS, user: role.user });
  return lacking ? [{ level: "bad", text: `${name}: ${lacking.what}`, fix: lacking.fix }] : [];
}

function countFor(pool: Pool, uses: readonly DatabaseUse[]): Promise<DoctorFinding[]> {
  const direct = uses.filter((use) => !splitPooler(use.url).pooled);
  const needed = direct.reduce((sum, use) => sum + use.connections, 0);
  return checkConnections(pool, [...new Set(direct.map(({ name }) => name))].join(", "), needed);
}
