import type { TestProject } from "vitest/node";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import type { Release } from "./postgres-release.ts";
import {
  allowTruncateOfAudit,
  chosenRelease,
  createTemplate,
  startTestCluster,
  type TestCluster,
} from "./test-cluster.ts";
import { MIGRATED_TEMPLATE } from "./test-templates.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser URLs of the servers shared by this run's tests; `newest` serves all files when it is the only one. */
    postgresAdminUrls: { newest: string } & Partial<Record<Release, string>>;
  }
}

let clusters: TestCluster[] = [];

/**
 * Vitest's global setup of the Postgres tests: for the whole run a server with a migrated template, and in the project
 * "db" another of Postgres 14, on which half of the files run, unless the environment chooses one for all.
 */
export async function setup(project: TestProject): Promise<void> {
  const chosen = chosenRelease();
  const newest = await start(chosen ?? "newest");
  const both = chosen === null && project.name === "db" && HAS_14;
  project.provide("postgresAdminUrls", both ? { newest, "14": await start("14") } : { newest });
}

/** npm has Postgres 14 for this platform only. */
const HAS_14 = process.platform === "linux" && process.arch === "x64";

async function start(release: Release): Promise<string> {
  const cluster = await startTestCluster(release);
  clusters.push(cluster);
  await createTemplate(cluster.adminUrl, MIGRATED_TEMPLATE, async (url) => {
    await migrateStoreSide(url);
    await migrateConsoleSide(url);
    await allowTruncateOfAudit(url);
  });
  return cluster.adminUrl;
}

export async function teardown(): Promise<void> {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  clusters = [];
}
