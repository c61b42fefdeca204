import { expect, test } from "vitest";
import type { Adapter } from "./adapter.ts";
import { sql } from "./statement.ts";
import { withTableErrors } from "./table-errors.ts";

const failing = (error: Error): Adapter<unknown, unknown> => ({
  name: "a library",
  dialect: "postgres",
  run: () => Promise.reject(error),
  stateOf: () => ({ open: true }),
  transaction: () => Promise.reject(error),
});

test.each([
  ["Kysely", new Error("Transaction is already committed")],
  ["MikroORM over Knex", new Error("Transaction query already complete, run with DEBUG=knex:tx for more info")],
  ["Sequelize", new Error("rollback has been called on this transaction(1), you can no longer use it. (The rejected")],
  ["Prisma", Object.assign(new Error("Transaction already closed"), { code: "P2028" })],
])("what %s says of a transaction that has ended is refused as such", async (_, cause) => {
  const use = {
    ...{ table: "outbox", columns: {}, grants: "INSERT" },
    ...({ by: "createOutbox", schema: "outbox.schema()" } as const),
  };
  const run = withTableErrors(failing(cause), use).run(null, sql`SELECT 1`);
  await expect(run).rejects.toMatchObject({ code: "not_in_transaction", cause });
});
