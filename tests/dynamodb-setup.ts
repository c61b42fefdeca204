import type { TestProject } from "vitest/node";
import { DynamodbUnavailable, runDynamodb } from "./dynamodb/run-dynamodb.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Endpoint of the run's DynamoDB server, or why there is none. */
    dynamodb: { url: string } | { unavailable: string };
  }
}

/** Vitest's global setup of the DynamoDB tests: the server of TEST_DYNAMODB_URL, or else one for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DYNAMODB_URL;
  if (external) {
    project.provide("dynamodb", { url: external });
    return async () => undefined;
  }
  try {
    const server = await runDynamodb();
    project.provide("dynamodb", { url: server.url });
    return server.remove;
  } catch (error) {
    if (!(error instanceof DynamodbUnavailable)) throw error;
    project.provide("dynamodb", { unavailable: `no DynamoDB: ${error.message}` });
    return async () => undefined;
  }
}
