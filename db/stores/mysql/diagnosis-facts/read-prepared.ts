import type { OldTransaction } from "#domain/diagnosis/facts.ts";
import { errorNumber, isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import type { InnodbTransaction } from "./innodb-transactions.ts";

/**
 * Prepared transactions (XA) whose sessions have ended. The server does not say which name belongs to which
 * transaction, so each is told to be open since the youngest of them began. Empty if this user may not list them.
 */
export async function readPrepared(
  session: Session,
  detached: readonly InnodbTransaction[],
): Promise<OldTransaction[]> {
  const since = detached
    .map(({ startedAt }) => startedAt)
    .toSorted()
    .at(-1);
  if (since === undefined) return [];
  const names = await readNames(session);
  return names.map((name) => ({
    pid: null,
    preparedId: name,
    endStatement: `XA ROLLBACK ${name}`,
    user: null,
    applicationName: null,
    state: "prepared",
    transactionAt: since,
    query: null,
    holdsBackNewRows: true,
  }));
}

/** What MySQL answers to XA RECOVER of an account without XA_RECOVER_ADMIN. */
const RESOURCE_ERROR = 1401;

export function mayNotListPrepared(error: unknown): boolean {
  return isForbidden(error) || errorNumber(error) === RESOURCE_ERROR;
}

/** Names of the prepared transactions as `XA ROLLBACK` takes them. */
async function readNames(session: Session): Promise<string[]> {
  const inSql = session.server.flavor === "mariadb";
  try {
    const rows = await session.rows(inSql ? "XA RECOVER FORMAT='SQL'" : "XA RECOVER CONVERT XID");
    return rows.map(([format, length, , data]) => (inSql ? (data ?? "") : nameOf(format, Number(length), data ?? "")));
  } catch (error) {
    if (!mayNotListPrepared(error)) throw error;
    return [];
  }
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
