import type { ClientBase } from "pg";
import { type HandleState, OPEN, refused } from "../../sql/adapter.ts";

/** The transaction status that the server last sent; null if the client does not expose it. From pg 8.17. */
export function stateOfClient(client: object, how: string): HandleState | null {
  if (!("getTransactionStatus" in client)) return null;
  const status = (client as ClientBase).getTransactionStatus();
  if (status === "T") return OPEN;
  if (status === "E") return refused("The transaction of this client has failed: roll it back and begin another.");
  return refused(`This client of pg has no open transaction. ${how}`);
}
