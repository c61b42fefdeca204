import type { OwnTables, Session } from "../connection/session.ts";
import { type BinlogNames, checkBinlog } from "./check-binlog.ts";

/**
 * Creates a missing reader, which begins where the log ends now, and returns the SQL executed. Never moves an existing
 * one, and changes no setting of the server.
 */
export async function createReader(session: Session, own: OwnTables, names: BinlogNames): Promise<string[]> {
  const { problems } = await checkBinlog(session, own, names);
  const sql = problems.find(({ code }) => code === "reader_missing")?.sql;
  if (!sql) return [];
  await session.run(sql.replace(/;$/, ""));
  return [sql];
}
