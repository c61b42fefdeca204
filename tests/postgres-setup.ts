import type { TestProject } from "vitest/node";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { createTemplate, startTestCluster, type TestCluster } from "./test-cluster.ts";
import { MIGRATED_TEMPLATE } from "./test-templates.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser URL of the Postgres shared by this run's tests. */
    postgresAdminUrl: string;
  }
}

let cluster: TestCluster | null = null;

/** Vitest's global setup of the Postgres tests: one server and one migrated template for the whole run. */
export async function setup(project: TestProject): Promise<void> {
  cluster = await startTestCluster();
  await createTemplate(cluster.adminUrl, MIGRATED_TEMPLATE, async (url) => {
    await migrateStoreSide(url);
    await migrateConsoleSide(url);
  });
  project.provide("postgresAdminUrl", cluster.adminUrl);
}

export async function teardown(): Promise<void> {
  await cluster?.stop();
  cluster = null;
}
