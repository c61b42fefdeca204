import type { Pool } from "pg";
import { groupByLogin } from "#db/stores/shared/connection/group-by-login.ts";
import type { DatabaseUse, DoctorFinding } from "../../port/doctor.ts";
import { toDatabaseError } from "../connection/database-error.ts";
import { createPool, splitPooler } from "../connection/pool.ts";
import { checkAppendOnly } from "./check-append-only.ts";
import { checkConnections } from "./check-connections.ts";
import { checkWritable } from "./check-writable.ts";

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

function countFor(pool: Pool, uses: readonly DatabaseUse[]): Promise<DoctorFinding[]> {
  const direct = uses.filter((use) => !splitPooler(use.url).pooled);
  const needed = direct.reduce((sum, use) => sum + use.connections, 0);
  return checkConnections(pool, [...new Set(direct.map(({ name }) => name))].join(", "), needed);
}
