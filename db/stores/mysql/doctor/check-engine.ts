import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { AccessMode } from "../../port/store.ts";
import { quoteAccount } from "../connection/account.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { readEngine } from "../tables/require-transactions.ts";

/** Requirements of a relay or an operator's action beyond the grants: a table with transactions and row locks. */
export async function checkEngine(
  session: Session,
  { name, mapping }: OutboxRef,
  mode: AccessMode,
): Promise<DoctorFinding[]> {
  if (mode === "observe") return [];
  const engine = await readEngine(session, mapping.table);
  const findings: DoctorFinding[] = [];
  if (engine !== null && engine !== "InnoDB")
    findings.push({
      level: "bad",
      text: `outbox ${name}: its table uses the engine ${engine}, which has no transactions, so publishing and marking cannot be kept consistent`,
      fix: `ALTER TABLE ${quoteTable(mapping.table)} ENGINE = InnoDB;`,
    });
  if (mode === "relay" && !(await seesTransactions(session))) {
    const [account] = await session.rows("SELECT CURRENT_USER()");
    findings.push({
      level: "later",
      text: `outbox ${name}: its user may not see the transactions of other sessions, so the relay waits longer for rows that are committed late`,
      fix: `GRANT PROCESS ON *.* TO ${quoteAccount(account?.[0] ?? "")};`,
    });
  }
  return findings;
}

/** Reading them is refused without PROCESS. */
async function seesTransactions(session: Session): Promise<boolean> {
  try {
    await session.rows("SELECT COUNT(*) FROM information_schema.innodb_trx");
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}
