import { groupByLogin } from "#db/stores/shared/connection/group-by-login.ts";
import type { DatabaseUse, DoctorFinding } from "../../port/doctor.ts";
import { toDatabaseError } from "../connection/database-error.ts";
import { ownPlaceOf } from "../connection/own-place.ts";
import { createPool } from "../connection/pool.ts";
import { withSession } from "../connection/transaction.ts";
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
  const needed = uses.reduce((sum, use) => sum + use.connections, 0);
  let counted = false;
  for (const [url, ofUrl] of Map.groupBy(uses, (use) => use.url)) {
    const name = ofUrl[0]?.name ?? url;
    const pool = createPool({
      url,
      own: ownPlaceOf({ url }),
      applicationName: "outbox-console doctor",
      readOnly: false,
      max: 1,
      statementTimeoutMs: 5000,
    });
    try {
      await withSession(pool, async (session) => {
        if (ofUrl.some((use) => use.writes)) findings.push(...(await checkWritable(session, name)));
        if (counted) return;
        counted = true;
        const names = [...new Set(uses.map((use) => use.name))].join(", ");
        findings.push(...(await checkConnections(session, names, needed)));
      });
    } catch (error) {
      findings.push({ level: "bad", text: toDatabaseError(error, name).message });
    } finally {
      await pool.end();
    }
  }
  return findings;
}
