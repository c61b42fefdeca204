import { afterAll, beforeAll } from "vitest";
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

adapterSuite({
  via: prisma<PrismaClient>(),
  db: () => client,
  outside: (use) => use(client as never),
});
