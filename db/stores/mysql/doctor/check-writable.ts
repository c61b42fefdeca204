import type { DoctorFinding } from "../../port/doctor.ts";
import type { Session } from "../connection/session.ts";

/** A replica, or a server that is read-only, refuses writes: `operate`, `relay` and `migrate` would fail. */
export async function checkWritable(session: Session, name: string): Promise<DoctorFinding[]> {
  const [row] = await session.rows("SELECT @@global.read_only, @@global.log_bin, @@session.binlog_format");
  const [readOnly, log, format] = row ?? [];
  if (log === "1" && format === "STATEMENT") return [logOfStatements(name)];
  if (readOnly === "0" || readOnly === "OFF") return [{ level: "ok", text: `${name}: the database accepts writes` }];
  return [
    {
      level: "bad",
      text: `${name}: the server is read-only (read_only), as a replica is, and accepts no writes`,
      fix: "Name the primary in its URL, or: SET GLOBAL read_only = OFF;",
    },
  ];
}

function logOfStatements(name: string): DoctorFinding {
  return {
    level: "bad",
    text: `${name}: the server logs statements (binlog_format), and so refuses writes in READ COMMITTED`,
    fix: "SET GLOBAL binlog_format = 'ROW'; -- and in the server's configuration",
  };
}
