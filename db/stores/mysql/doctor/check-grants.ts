import { getTableColumns, getTableName, is } from "drizzle-orm";
import { MySqlTable } from "drizzle-orm/mysql-core";
import { lacksOnTables, type TableRights } from "#db/stores/shared/own-tables/lacking-rights.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { TableName } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { AccessMode } from "../../port/store.ts";
import { databaseGrantSql, quoteAccount } from "../connection/account.ts";
import { isConnectionError, isForbidden } from "../connection/database-error.ts";
import { quoteName } from "../connection/literal.ts";
import { nameOfOwn } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

const RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE"] as const;
type Right = (typeof RIGHTS)[number];

/**
 * Compares the rights of the store URL's user with what the outbox's mode needs. The server is asked to explain
 * statements rather than for its grants: those of roles count as well.
 */
export async function checkGrants(session: Session, ref: OutboxRef, mode: AccessMode): Promise<DoctorFinding[]> {
  const { name, mapping } = ref;
  const table = quoteTable(mapping.table);
  const [account = ["its user"]] = await session.rows("SELECT CURRENT_USER()");
  const user = account[0] ?? "its user";
  const lacks = (what: string, fix: string): DoctorFinding => ({ level: "bad", text: `outbox ${name}: ${what}`, fix });
  const column = mapping.primaryKey[0]?.name ?? mapping.columns.id.name;
  const missing = await missingRights(session, table, { column, of: mode === "observe" ? ["SELECT"] : RIGHTS });
  const findings: DoctorFinding[] = [];
  if (missing.includes("SELECT")) findings.push(lacks(`${user} may not read it`, readGrantSql(mapping.table, user)));
  else if (missing.length > 0)
    findings.push(
      lacks(`${user} may not change its rows`, `GRANT ${missing.join(", ")} ON ${table} TO ${quoteAccount(user)};`),
    );
  if (mode === "observe") return findings;
  const { place } = session.own;
  const database = "database" in place ? place.database : mapping.table.schema;
  // Before the tables are there, one of them stands for all.
  const tables = ref.storeSide ? ownTablesOf(session) : [session.own.pause];
  const lacking = await lackingOnOwnTables(session, tables);
  if (lacking.length === tables.length) {
    findings.push(lacks(`${user} may not use ${nameOfOwn(place)}`, databaseGrantSql(database, user)));
  } else if (lacking.length > 0) {
    const { what, fix } = lacksOnTables(lacking, {
      ...{ user, account: quoteAccount(user), place: nameOfOwn(place) },
      quoted: (name) => `${quoteName(database)}.${quoteName(name)}`,
    });
    findings.push(lacks(what, fix));
  } else if (!ref.storeSide) {
    const lacksIt = "database" in place ? "is missing or has" : "are missing or have";
    findings.push(lacks(`${nameOfOwn(place)} ${lacksIt} another version`, ourCommand("migrate")));
  }
  return findings;
}

export function readGrantSql(table: TableName, user: string): string {
  return `GRANT SELECT ON ${quoteTable(table)} TO ${quoteAccount(user)};`;
}

/** Rights that the user lacks: all of them if he may not even read. */
export async function missingRights(
  session: Session,
  table: string,
  { column, of }: { column: string; of: readonly Right[] },
): Promise<Right[]> {
  const name = quoteName(column);
  const statements: Record<Right, string> = {
    SELECT: `SELECT ${name} FROM ${table} WHERE FALSE`,
    INSERT: `INSERT INTO ${table} (${name}) SELECT ${name} FROM ${table} WHERE FALSE`,
    UPDATE: `UPDATE ${table} SET ${name} = ${name} WHERE FALSE`,
    DELETE: `DELETE FROM ${table} WHERE FALSE`,
  };
  const missing: Right[] = [];
  for (const right of of) {
    if (!(await isRefused(session, statements[right]))) continue;
    missing.push(right);
    // The other statements read as well.
    if (right === "SELECT") return [...of];
  }
  return missing;
}

const ownTablesOf = ({ own }: Session) => Object.values(own).filter((one) => is(one, MySqlTable));

async function lackingOnOwnTables(session: Session, tables: readonly MySqlTable[]): Promise<TableRights[]> {
  const { place } = session.own;
  const lacking: TableRights[] = [];
  for (const own of tables) {
    const [column] = Object.values(getTableColumns(own));
    const table = getTableName(own);
    const name = "database" in place ? `${quoteName(place.database)}.${quoteName(table)}` : quoteName(table);
    const rights = await missingRights(session, name, { column: column?.name ?? "", of: rightsOn(session.own, own) });
    if (rights.length > 0) lacking.push({ table, rights });
  }
  return lacking.toSorted((one, other) => (one.table < other.table ? -1 : 1));
}

/** Entries of the audit stay, and what migrate has written is only read. */
function rightsOn({ audit, meta, migration }: Session["own"], table: MySqlTable): readonly Right[] {
  if (table === meta || table === migration) return ["SELECT"];
  return table === audit ? ["SELECT", "INSERT"] : RIGHTS;
}

/** EXPLAIN needs the rights of the statement and changes nothing. Any other error means that the user has them. */
async function isRefused(session: Session, statement: string): Promise<boolean> {
  try {
    await session.rows(`EXPLAIN ${statement}`);
    return false;
  } catch (error) {
    if (isForbidden(error)) return true;
    if (isConnectionError(error)) throw error;
    return false;
  }
}
