import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { openPrisma, type PrismaClient } from "../testing/prisma-client.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { prisma } from "./prisma.ts";

const database = testDatabase("empty");
let client: PrismaClient;

beforeAll(async () => {
  await createTables(database().pool);
  client = openPrisma(database().url);
});
afterAll(() => client.$disconnect());

const suite = () =>
  adapterSuite({
    via: prisma<PrismaClient>(),
    db: () => client,
    outside: async (use) => {
      await use(client as never);
      await use(await client.$transaction(async (tx) => ({ tx })).then(({ tx }) => tx));
    },
  });

suite();

/**
 * Other libraries of the application set this for the whole process, and Prisma then refuses every result of eight
 * bytes.
 */
describe("where numbers of eight bytes are read as BigInt", () => {
  const { INT8 } = pg.types.builtins;
  const before = pg.types.getTypeParser(INT8);
  beforeAll(() => pg.types.setTypeParser(INT8, BigInt));
  afterAll(() => pg.types.setTypeParser(INT8, before));
  suite();
});
