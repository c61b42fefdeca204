import { afterAll, afterEach, beforeAll } from "vitest";
import { postgresAdminUrl } from "./postgres-release.ts";
import { cloneDatabase, type TestDatabase } from "./test-database.ts";
import { EMPTY_TEMPLATE, MIGRATED_TEMPLATE } from "./test-templates.ts";

/**
 * `migrated` has the store-side and console-side schemas; `empty` has none, like a user's database that is only
 * observed.
 */
export type TestDatabaseKind = "migrated" | "empty";

/** A database private to this test, created in about 20 ms. Drop it yourself, or use `testDatabase`. */
export function createTestDatabase(kind: TestDatabaseKind = "migrated"): Promise<TestDatabase> {
  return cloneDatabase(postgresAdminUrl(), kind === "migrated" ? MIGRATED_TEMPLATE : EMPTY_TEMPLATE);
}

/**
 * One database for all tests of a file (or a `describe`): created before the first, dropped after the last with a check
 * that no connection was left open. After a failed test the check is skipped, so that it does not hide the failure.
 *
 *     const database = testDatabase();
 *     test("...", async () => { await database().pool.query("..."); });
 */
export function testDatabase(kind: TestDatabaseKind = "migrated"): () => TestDatabase {
  let database: TestDatabase | null = null;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  let failed = false;
  afterEach(({ task }) => {
    failed ||= task.result?.state === "fail";
  });
  afterAll(() => (failed ? database?.dropByForce() : database?.drop()));
  return () => {
    if (database === null) throw new Error("The test database is available only inside tests and hooks.");
    return database;
  };
}
