import { sql as drizzleSql, type SQL } from "drizzle-orm";
import { drizzle as drizzleOverMysql, type MySql2Database } from "drizzle-orm/mysql2";
import { drizzle as drizzleOverPostgresJs } from "drizzle-orm/postgres-js";
import createKnex, { type Knex } from "knex";
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from "kysely";
import { createPool, type PoolOptions } from "mysql2/promise";
import postgres from "postgres";
import { type QueryOptions, QueryTypes, Sequelize } from "sequelize";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { testDatabase } from "../../tests/postgres.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import type { Adapter } from "../sql/adapter.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { readStored } from "../testing/stored-event.ts";
import { drizzle } from "./drizzle.ts";
import { knex } from "./knex.ts";
import { kysely } from "./kysely.ts";
import { mysql2 } from "./mysql2.ts";
import { postgresJs } from "./postgres-js.ts";
import { sequelize } from "./sequelize.ts";

/**
 * Settings of a library change names and values of each result: every answer that the client reads must survive that.
 */
async function expectEveryAnswer<Tx, Db>(via: Adapter<Tx, Db>, db: Db): Promise<void> {
  const outbox = createOutbox(contractEvents, { via });
  const inbox = createInbox(contractEvents, { via, consumer: "billing", maxAttempts: 1, concurrent: "skip" });
  const key = crypto.randomUUID();
  const add = (options: { id?: string; delay?: number }) =>
    via.transaction(db, (tx) => outbox.add(tx, "contract.checked", contractPayload(key), options));

  const { id } = await add({ delay: 3_600_000 });
  expect(await add({ id: String(id) })).toEqual({ id, added: false });
  const stored = await readStored(via, db, outbox.layout);
  expect(stored.filter((event) => event.aggregateId === key)).toMatchObject([
    { id, type: "contract.checked", version: 3, payload: contractPayload(key) },
  ]);
  expect(await via.transaction(db, (tx) => outbox.cancel(tx, String(id)))).toMatchObject({ outcome: "cancelled" });
  expect(await via.transaction(db, (tx) => outbox.cancel(tx, String(id)))).toEqual({ outcome: "absent" });

  const [good, bad] = [contractMessage(), contractMessage()];
  const fail = () => Promise.reject(new Error("no"));
  expect(await inbox.once(db, good, async () => "done")).toMatchObject({ outcome: "processed" });
  expect(await inbox.once(db, good, async () => "again")).toMatchObject({ outcome: "duplicate" });
  expect(await inbox.once(db, bad, fail)).toMatchObject({ outcome: "parked" });
  expect(await inbox.once(db, bad, async () => "done")).toMatchObject({ outcome: "parked" });
  expect(await inbox.release(db, bad.id)).toBe(true);
  expect(await inbox.once(db, bad, async () => "done")).toMatchObject({ outcome: "processed" });

  const ordered = createInbox(contractEvents, { via, consumer: "shipping", table: "numbered", watchOrder: true });
  const numbered = (sequence: number) =>
    ordered.once(db, { ...contractMessage(), aggregateId: key, sequence }, async (_, { order }) => order);
  await numbered(1);
  expect((await numbered(3)).result).toMatchObject({ missing: { from: 2, to: 2 }, late: false });
}

/** Sequelize merges these into the options of each query. */
const SEQUELIZE_QUERIES: Record<string, QueryOptions> = {
  "gives rows alone": { type: QueryTypes.SELECT },
  "nests rows": { nest: true },
  "gives the first row": { plain: true },
  "is raw": { raw: true },
};

/** What snake-to-camel converters of the field do to whatever they get. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [
    name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
    camelCased(one),
  ]);
  return Object.fromEntries(members);
}

const tablesOf = <Tx, Db>(via: Adapter<Tx, Db>): string[] => [
  createOutbox(contractEvents, { via }).schema(),
  createInbox(contractEvents, { via, consumer: "billing" }).schema(),
  createInbox(contractEvents, { via, consumer: "billing", table: "numbered", watchOrder: true }).schema(),
];

describe("over Postgres", () => {
  const database = testDatabase("empty");
  beforeAll(async () => {
    for (const table of tablesOf(kysely())) await database().pool.query(table);
  });

  test("Kysely's plugins for names and JSON leave the client's answers alone", async () => {
    const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database().pool }), plugins });
    await expectEveryAnswer(kysely<unknown>(), db);
  });

  test.each(["camel", "pascal", "kebab"] as const)(
    "the transform %s of postgres.js may rename columns",
    async (name) => {
      const sql = postgres(database().url, { max: 2, transform: postgres[name], onnotice: () => undefined });
      try {
        await expectEveryAnswer(postgresJs(), sql);
        const db = drizzleOverPostgresJs(sql);
        await expectEveryAnswer(drizzle<typeof db>(drizzleSql), db);
      } finally {
        await sql.end();
      }
    },
  );

  test.each<[string, Knex.Config["postProcessResponse"]]>([
    ["renames", (result) => (result?.rows ? { ...result, rows: camelCased(result.rows) } : camelCased(result))],
    ["gives the rows alone, renamed", (result) => camelCased(result?.rows ?? result)],
  ])("Knex' postProcessResponse that %s", async (_, postProcessResponse) => {
    const db = createKnex({ client: "pg", connection: database().url, pool: { min: 0, max: 2 }, postProcessResponse });
    try {
      await expectEveryAnswer(knex(), db);
    } finally {
      await db.destroy();
    }
  });

  test.each(Object.entries(SEQUELIZE_QUERIES))("Sequelize's setting query that %s", async (_, query) => {
    const db = new Sequelize(database().url, { logging: false, query });
    try {
      await expectEveryAnswer(sequelize(), db);
    } finally {
      await db.close();
    }
  });
});

describe("over MySQL", () => {
  const database = testMysqlDatabase("mysql", "empty");
  const uri = () => database().url.replace(/^\w+:/, "mysql:");
  beforeAll(async () => {
    for (const table of tablesOf(mysql2())) await database().query(table);
  });

  test.each<[string, PoolOptions]>([
    ["rowsAsArray", { rowsAsArray: true }],
    ["nestTables", { nestTables: true }],
    ["nestTables with a text", { nestTables: "_" }],
    ["typeCast off", { typeCast: false }],
    ["big numbers and times as strings", { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true }],
  ])("the option of mysql2 %s", async (_, options) => {
    const pool = createPool({ uri: uri(), connectionLimit: 2, ...options });
    try {
      await expectEveryAnswer(mysql2(), pool);
    } finally {
      await pool.end();
    }
  });

  test.each(Object.entries(SEQUELIZE_QUERIES))("Sequelize's setting query that %s", async (_, query) => {
    const db = new Sequelize(uri(), { logging: false, query });
    try {
      await expectEveryAnswer(sequelize({ dialect: "mysql" }), db);
    } finally {
      await db.close();
    }
  });

  const knexes: Knex[] = [];
  afterAll(() => Promise.all(knexes.map((one) => one.destroy())));
  const openKnex = (postProcessResponse: NonNullable<Knex.Config["postProcessResponse"]>) => {
    const connection = database().url.replace(/^\w+:/, "mysql:");
    const db = createKnex({ client: "mysql2", connection, pool: { min: 0, max: 2 }, postProcessResponse });
    knexes.push(db);
    return db;
  };

  test("Knex' postProcessResponse that renames", async () => {
    await expectEveryAnswer(knex({ dialect: "mysql" }), openKnex(camelCased));
  });

  test("Knex' postProcessResponse that hides the number of changed rows", async () => {
    const hides = openKnex((result) => (Array.isArray(result) && result[0]?.affectedRows !== undefined ? [] : result));
    await expectEveryAnswer(knex({ dialect: "mysql" }), hides);
  });

  test("a driver under Drizzle that gives the number of changed rows in its own way, such as PlanetScale's", async () => {
    const pool = createPool({ uri: uri(), connectionLimit: 2 });
    const serverless = (handle: unknown): unknown => ({
      transaction: (work: (tx: unknown) => Promise<unknown>) =>
        (handle as MySql2Database).transaction((tx) => work({ ...(serverless(tx) as object), rollback: tx.rollback })),
      execute: async (query: SQL) => {
        const [found] = (await (handle as MySql2Database).execute(query)) as unknown as [object[] | object];
        return Array.isArray(found) ? { rows: found } : { rows: [], rowsAffected: 1 };
      },
    });
    try {
      const db = serverless(drizzleOverMysql(pool)) as MySql2Database;
      await expectEveryAnswer(
        drizzle<MySql2Database>(drizzleSql, { dialect: "mysql" }) as Adapter<never, MySql2Database>,
        db,
      );
    } finally {
      await pool.end();
    }
  });
});
