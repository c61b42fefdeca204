import { type EntityManager, EntitySchema, MikroORM } from "@mikro-orm/postgresql";
import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
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
  outside: async (use) => {
    await use(orm.em);
    const em = orm.em.fork();
    await use(em);
    await em.begin();
    await em.commit();
    await use(em);
  },
});
