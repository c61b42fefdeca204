import { errorNumber, isForbidden } from "../../connection/database-error.ts";
import type { Session } from "../../connection/session.ts";
import type { InnodbTransaction } from "./innodb-transactions.ts";

/** How a prepared transaction without a session is called and ended. */
export interface PreparedName {
  preparedId: string;
  endStatement: string;
  namesStatement?: string;
}

/**
 * Names of prepared transactions whose sessions have ended, by their number in InnoDB. `detached`: all such
 * transactions of the server. The server does not say which name belongs to which number, so a single transaction gets
 * its name, and several get their numbers, as does one if this user may not list names. Empty if the server lists no
 * prepared transaction.
 */
export async function namePrepared(
  session: Session,
  detached: readonly InnodbTransaction[],
): Promise<Map<string, PreparedName>> {
  if (detached.length === 0) return new Map();
  const listed = await readNames(session);
  const withSession = listed && (await readNamesOfSessions(session));
  const names = listed?.filter((name) => !withSession?.includes(name));
  if (names?.length === 0) return new Map();
  const [name] = names ?? [];
  if (name !== undefined && names?.length === 1 && detached.length === 1)
    return new Map(detached.map(({ id }) => [id, { preparedId: name, endStatement: `XA ROLLBACK ${name}` }]));
  const namesStatement = namesStatementOf(session);
  return new Map(
    detached.map(({ id }) => [id, { preparedId: `number ${id}`, endStatement: "XA ROLLBACK …", namesStatement }]),
  );
}

/** In MySQL it needs XA_RECOVER_ADMIN, in MariaDB nothing. */
export function namesStatementOf({ server }: Pick<Session, "server">): string {
  return server.flavor === "mariadb" ? "XA RECOVER FORMAT='SQL'" : "XA RECOVER CONVERT XID";
}

/** What MySQL answers to XA RECOVER of an account without XA_RECOVER_ADMIN. */
const RESOURCE_ERROR = 1401;

export function mayNotListPrepared(error: unknown): boolean {
  return isForbidden(error) || errorNumber(error) === RESOURCE_ERROR;
}

/** Names of the prepared transactions as `XA ROLLBACK` takes them; null if this user may not list them. */
async function readNames(session: Session): Promise<string[] | null> {
  const inSql = session.server.flavor === "mariadb";
  try {
    const rows = await session.rows(namesStatementOf(session));
    return rows.map(([format, length, , data]) => (inSql ? (data ?? "") : nameOf(format, Number(length), data ?? "")));
  } catch (error) {
    if (!mayNotListPrepared(error)) throw error;
    return null;
  }
}

/** Names of those whose sessions are still there. Empty where the server or this user does not know them. */
async function readNamesOfSessions(session: Session): Promise<string[]> {
  if (session.server.flavor === "mariadb") return [];
  try {
    const rows = await session.rows(
      "SELECT xid_format_id, xid_gtrid, xid_bqual FROM performance_schema.events_transactions_current WHERE state = 'ACTIVE' AND xa_state = 'PREPARED'",
    );
    return rows.map(nameOfParts);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return [];
  }
}

/** The name of a session's own transaction, by its format, global part and branch as performance_schema has them. */
export function nameOfParts([format, global, branch]: readonly (string | null | undefined)[]): string {
  return [quoted(hexOf(global)), quoted(hexOf(branch)), format].join(",");
}

/** The server prints a part as text if it is printable, otherwise as 0x and hex. */
function hexOf(part: string | null | undefined): string {
  return part?.startsWith("0x") ? part.slice("0x".length) : Buffer.from(part ?? "", "latin1").toString("hex");
}

/** `data` is 0x and the hex of the global part, of so many bytes, and of the branch. */
function nameOf(format: string | null | undefined, length: number, data: string): string {
  const hex = data.slice("0x".length);
  return [quoted(hex.slice(0, 2 * length)), quoted(hex.slice(2 * length)), format].join(",");
}

function quoted(hex: string): string {
  const text = Buffer.from(hex, "hex").toString("latin1");
  return /^[\w.:/@ -]*$/.test(text) ? `'${text}'` : `X'${hex}'`;
}
