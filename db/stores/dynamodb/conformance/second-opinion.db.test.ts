import { afterAll, beforeAll, describe, test } from "vitest";
import { findDynamodbLocal, runDynamodbLocal } from "#tests/dynamodb/dynamodb-local.ts";
import { type DynamodbServer, DynamodbUnavailable } from "#tests/dynamodb/run-dynamodb.ts";
import { describeRelaySettle } from "../../conformance/relay/relay-settle.conformance.ts";
import { describeRelayStream } from "../../conformance/relay/relay-stream.conformance.ts";
import { dynamodbAt } from "./dynamodb-under-test.fixture.ts";

const missing = await findDynamodbLocal().then(
  () => null,
  (error: unknown) => (error instanceof DynamodbUnavailable ? error.message : Promise.reject(error)),
);

/** A part of the suites on Amazon's own local server; TEST_DYNAMODB_SERVER=local runs all of them on it. */
describe("on DynamoDB Local", () => {
  if (missing !== null) {
    test("answers as the run's server does", ({ skip }) => skip(`no DynamoDB Local: ${missing}`));
    return;
  }
  let server: DynamodbServer;
  beforeAll(async () => {
    server = await runDynamodbLocal();
  });
  afterAll(() => server?.remove());

  const engine = dynamodbAt(() => server.url);
  describeRelaySettle(engine);
  describeRelayStream(engine);
});
