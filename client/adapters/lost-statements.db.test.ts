import { sql as drizzleSql } from "drizzle-orm";
import { drizzle as drizzleOverPostgresJs } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import type { Adapter } from "../sql/adapter.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { drizzle } from "./drizzle.ts";
import { postgresJs } from "./postgres-js.ts";

/**
 * A pooler in transaction mode gives a transaction a connection without the client's prepared statements, as DEALLOCATE
 * does here. postgres.js prepares its COMMIT, which then fails, and repeats it in the failed transaction: Postgres
 * answers ROLLBACK, without an error, and `sql.begin` resolves.
 */
const database = testDatabase("empty");
let sql: Sql;
const notices: unknown[] = [];

beforeAll(async () => {
  await createTables(database().pool);
  await database().pool.query(
    "CREATE TABLE effects (id text, CONSTRAINT once UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)",
  );
});
beforeEach(() => {
  sql = postgres(database().url, { max: 1, onnotice: (notice) => notices.push(notice) });
});
afterEach(async () => {
  await sql.end();
  expect(notices.splice(0)).toEqual([]);
});

const effects = async (id: string) =>
  (await database().pool.query("SELECT 1 FROM effects WHERE id = $1", [id])).rowCount;

async function expectKept<Tx, Db>(via: Adapter<Tx, Db>, db: Db): Promise<void> {
  const inbox = createInbox(contractEvents, { via, consumer: `pooled-${via.name}`, maxAttempts: 1 });
  const deliver = (id: string, statements: readonly string[]) =>
    inbox.once(db, contractMessage(id), async (tx) => {
      await via.run(tx, { parts: ["INSERT INTO effects VALUES (", ")"], values: [id] });
      for (const text of statements) await via.run(tx, { parts: [text], values: [] });
    });
  const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  expect(await deliver(first, [])).toMatchObject({ outcome: "processed" });
  await expect(deliver(second, ["DEALLOCATE ALL"])).rejects.toThrow(/rolled back at its commit.*prepare: false/);
  expect(await effects(second)).toBe(0);
  expect(await deliver(second, [])).toMatchObject({ outcome: "processed" });
  expect(await effects(second)).toBe(1);
  // What fails only at the commit is a failure of the message; a pooler's rollback was none.
  const late = `INSERT INTO effects VALUES ('${third}')`;
  expect(await deliver(third, [late])).toMatchObject({ outcome: "parked" });
  expect(await effects(third)).toBe(0);
}

test("postgres.js: what once calls processed is committed", () => expectKept(postgresJs(), sql));

test("postgres.js: nothing is committed where the work swallows an error of the library itself", async () => {
  const inbox = createInbox(contractEvents, { via: postgresJs(), consumer: "swallowing" });
  const message = contractMessage();
  const swallowing = inbox.once(sql, message, async (tx) => {
    await tx`INSERT INTO effects VALUES (${message.id})`;
    await tx`SELECT ${undefined as never}`.catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow(/UNDEFINED_VALUE/);
  expect(await effects(message.id)).toBe(0);
});

test("Drizzle over postgres.js: what once calls processed is committed", async () => {
  const db = drizzleOverPostgresJs(sql);
  await expectKept(drizzle<typeof db>(drizzleSql), db);
});
