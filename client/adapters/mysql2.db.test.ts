import { type Connection, createPool, type Pool } from "mysql2/promise";
import { afterAll, beforeAll } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { mysql2 } from "./mysql2.ts";

const database = testMysqlDatabase("mysql", "empty");
const via = mysql2();
let pool: Pool | undefined;

beforeAll(async () => {
  await database().query(createOutbox(contractEvents, { via }).schema());
  await database().query(createInbox(contractEvents, { via, consumer: "contract" }).schema());
  pool = createPool({ uri: database().url.replace(/^\w+:/, "mysql:"), connectionLimit: 10, timezone: "+05:00" });
});
afterAll(() => pool?.end());

const db = (): Pool => pool ?? failed();
const failed = (): never => {
  throw new Error("the pool is there only inside tests");
};

adapterSuite({
  via,
  db,
  outside: async (use) => {
    await use(db() as unknown as Connection);
    const connection = await db().getConnection();
    try {
      await use(connection);
      await connection.beginTransaction();
      await connection.commit();
      await use(connection);
    } finally {
      connection.release();
    }
  },
});
