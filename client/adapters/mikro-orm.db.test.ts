import { type EntityManager, EntitySchema, MikroORM } from "@mikro-orm/postgresql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { mikroOrm } from "./mikro-orm.ts";

const database = testDatabase("empty");
let orm: MikroORM;

const Order = new EntitySchema<{ id: string }>({
  name: "Order",
  properties: { id: { type: "string", primary: true } },
});

beforeAll(async () => {
  await createTables(database().pool);
  orm = await MikroORM.init({ clientUrl: database().url, entities: [Order], pool: { max: 10 } });
});
afterAll(() => orm.close());

adapterSuite({
  via: mikroOrm<EntityManager>(),
  db: () => orm.em,
  diesWithConnection: true,
  outside: async (use) => {
    await use(orm.em);
    const em = orm.em.fork();
    await use(em);
    await em.begin();
    await em.commit();
    await use(em);
    await use(await orm.em.fork().transactional(async (tx) => tx));
  },
});

test("entities of work that failed are not written by the caller's flush, and those of work that succeeded are", async () => {
  await database().pool.query('CREATE TABLE "order" (id text PRIMARY KEY)');
  const inbox = createInbox(contractEvents, { via: mikroOrm<EntityManager>(), consumer: "contract" });
  const [good, bad] = [contractMessage(), contractMessage()];
  await orm.em.fork().transactional(async (em) => {
    await inbox.onceIn(em, good, async (tx) => void tx.persist(tx.create(Order, { id: good.id })));
    const failing = inbox.onceIn(em, bad, async (tx) => {
      tx.persist(tx.create(Order, { id: bad.id }));
      throw new Error("the work failed");
    });
    await expect(failing).rejects.toThrow("the work failed");
  });
  expect((await database().pool.query('SELECT id FROM "order"')).rows).toEqual([{ id: good.id }]);
});
