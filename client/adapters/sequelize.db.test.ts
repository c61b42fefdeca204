import { Sequelize, Transaction } from "sequelize";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { isTransient } from "../sql/database-errors.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { sequelize } from "./sequelize.ts";

const database = testDatabase("empty");
let root: Sequelize;

beforeAll(async () => {
  await createTables(database().pool);
  root = new Sequelize(database().url, { logging: false, pool: { max: 10 } });
});
afterAll(() => root.close());

test("Sequelize's retry does not hide why a statement has failed", async () => {
  const retrying = new Sequelize(database().url, { logging: false, retry: { max: 3, match: [/could not serialize/] } });
  const outbox = createOutbox(contractEvents, { via: sequelize() });
  const id = crypto.randomUUID();
  const add = (transaction: Transaction) => outbox.add(transaction, "contract.checked", contractPayload("k"), { id });
  try {
    const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
    const late = retrying.transaction({ isolationLevel }, async (transaction) => {
      await retrying.query("SELECT count(*) FROM outbox", { transaction });
      await root.transaction(add);
      await add(transaction);
    });
    await expect(late).rejects.toSatisfy(isTransient);
  } finally {
    await retrying.close();
  }
});

adapterSuite({
  via: sequelize(),
  db: () => root,
  outside: async (use) => {
    await use(root as unknown as Transaction);
    const ended = await root.transaction();
    await ended.commit();
    await use(ended);
  },
});
