import type { ClientBase, Pool } from "pg";
import { ClientError } from "../errors.ts";
import { type Adapter, type HandleState, refused, UNKNOWN } from "../sql/adapter.ts";
import { numbered } from "../sql/statement.ts";
import { stateOfClient } from "./drivers/state-of-client.ts";

const HOW = "Pass the client on which you awaited BEGIN.";

/** node-postgres. `tx` is the client on which BEGIN was awaited; `db` is a pool. */
export function pg(): Adapter<ClientBase, Pool> {
  return {
    name: "pg",
    begins: "connect",
    dialect: "postgres",
    run: async (handle, statement) => {
      const { rows } = await handle.query(numbered(statement), [...statement.values]);
      return { rows };
    },
    stateOf,
    transaction: async (db, work) => {
      if ("connectionParameters" in db)
        throw new ClientError(
          "invalid_input",
          "This is a client of pg, and a pool is needed: the transaction, and the count of failures, take connections of their own.",
        );
      const client = await db.connect();
      let lost: Error | undefined;
      const noteLoss = (error: Error) => {
        lost ??= error;
      };
      // Without a listener, a connection that ends between statements would end the process.
      client.on("error", noteLoss);
      let broken = false;
      try {
        await client.query("BEGIN");
        const result = await work(client);
        await commit(client);
        return result;
      } catch (error) {
        broken = await client.query("ROLLBACK").then(
          () => false,
          () => true,
        );
        // Errors of statements after the loss do not say why the connection was lost.
        throw lost ?? error;
      } finally {
        client.release(broken);
        if (!broken) client.off("error", noteLoss);
      }
    },
  };
}

/** Postgres answers COMMIT with ROLLBACK, and no error, when a statement failed and the work ignored that. */
async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT")
    throw new Error("The transaction was rolled back at its commit, because one of its statements had failed.");
}

function stateOf(handle: unknown): HandleState {
  if (typeof handle !== "object" || handle === null || !("query" in handle))
    return refused(`This is no client of pg. ${HOW}`);
  if ("totalCount" in handle)
    return refused(`This is a pool of pg, which runs each statement on any connection. ${HOW}`);
  return stateOfClient(handle, HOW) ?? UNKNOWN;
}
