import { afterAll, beforeAll } from "vitest";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { testDatabase } from "#tests/postgres.ts";

/** The demo's runtime over a database of the test file, and questions about its rows. */
export function demoDatabase() {
  const database = testDatabase();
  let demo: DemoRuntime;
  beforeAll(async () => {
    demo = await openDemoRuntime(database().url);
  });
  afterAll(() => demo.close());
  const query = async (sql: string, values: unknown[] = []) => (await demo.pool.query(sql, values)).rows;
  const count = async (sql: string, values: unknown[] = []) => Number((await query(sql, values))[0]?.count);
  return { database, demo: () => demo, query, count };
}
