import type { TestProject } from "vitest/node";
import { runDynamodbLocal } from "./dynamodb/dynamodb-local.ts";
import { DynamodbUnavailable, runDynamodb } from "./dynamodb/run-dynamodb.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Endpoint of the run's DynamoDB server, or the reason why there is none. */
    dynamodb: { url: string } | { unavailable: string };
  }
}

/**
 * Vitest's global setup of the DynamoDB tests: the server of TEST_DYNAMODB_URL, or one started for the whole run. With
 * TEST_DYNAMODB_SERVER=local it is Amazon's DynamoDB Local.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DYNAMODB_URL;
  if (external) {
    project.provide("dynamodb", { url: external });
    return async () => undefined;
  }
  try {
    const server = await (process.env.TEST_DYNAMODB_SERVER === "local" ? runDynamodbLocal() : runDynamodb());
    project.provide("dynamodb", { url: server.url });
    return server.remove;
  } catch (error) {
    if (!(error instanceof DynamodbUnavailable)) throw error;
    project.provide("dynamodb", { unavailable: `no DynamoDB: ${error.message}` });
    return async () => undefined;
  }
}
