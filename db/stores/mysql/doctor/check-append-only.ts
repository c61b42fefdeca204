import type { DoctorFinding } from "../../port/doctor.ts";
import { ownTableName } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { missingRights } from "./check-grants.ts";

/**
 * Only grants can keep the audit append-only here: a trigger needs rights that servers with a binary log rarely give.
 */
export async function checkAppendOnly(session: Session, outbox: string): Promise<DoctorFinding> {
  const table = ownTableName(session.own.place, "audit");
  const changes = ["UPDATE", "DELETE"] as const;
  const kept: readonly string[] = await missingRights(session, table, { column: "actor", of: changes });
  const held = changes.filter((right) => !kept.includes(right));
  if (held.length === 0)
    return { level: "ok", text: `outbox ${outbox}: the audit ${table} is append-only for this user` };
  return {
    level: "later",
    text: `outbox ${outbox}: the audit ${table} is not append-only: this user may ${held.join(" and ")} its entries`,
    fix: "Grant UPDATE and DELETE on each of the other tables instead of on the whole database (docs/security.md).",
  };
}
