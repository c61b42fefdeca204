import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Link } from "./link.ts";
import { asking } from "./to-store-error.ts";

type Answer = (response: ServerResponse) => void;

const KEYS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
let before: Record<string, string | undefined>;
beforeEach(() => {
  before = Object.fromEntries(Object.keys(KEYS).map((name) => [name, process.env[name]]));
  Object.assign(process.env, KEYS);
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** A client of a server that gives this answer to every request. */
async function linkTo(answer: Answer): Promise<Link> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `dynamodb://eu-central-1?endpoint=${encodeURIComponent(endpoint)}`;
  const link = new Link({ name: "shop", url, applicationName: "test" });
  onTestFinished(() => link.close());
  return link;
}

const error =
  (name: string, message = "", { status = 400, ...more }: { status?: number } & object = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more }));
  };

/** Half of an answer, then the connection ends. */
const cut: Answer = (response) => {
  response.writeHead(200, { "content-length": 1000 });
  response.write('{"Item":{"pk":', () => setTimeout(() => response.destroy(), 20));
};
const page: Answer = (response) => void response.writeHead(200).end("<html>Please sign in</html>");

async function readFailure(answer: Answer) {
  const link = await linkTo(answer);
  const read = () => link.client.send(new GetItemCommand({ TableName: "shop", Key: { pk: { S: "a" } } }));
  return asking("outbox orders", read).then(
    () => expect.unreachable("It did not fail."),
    (thrown: Error & { trouble: string; code: string }) => thrown,
  );
}

async function writeFailure(answer: Answer) {
  const link = await linkTo(answer);
  const write = () => link.transact([{ Delete: { TableName: "shop", Key: { pk: { S: "a" } } } }]);
  return asking("outbox orders", write).then(
    () => expect.unreachable("It did not fail."),
    (thrown: Error & { trouble: string; code: string }) => thrown,
  );
}

const IN_DOUBT = "DynamoDB did not confirm a change to outbox orders: it may have been made.";
const UNREADABLE =
  "The answer for outbox orders cannot be read: it was cut off, or it comes from a proxy and not from DynamoDB.";

describe("an answer that is cut off or no answer of DynamoDB", () => {
  test.each([
    ["cut off", cut],
    ["a page of a proxy", page],
  ])("%s: a change may have been made", async (_, answer) => {
    expect(await writeFailure(answer)).toMatchObject({ trouble: "commit_in_doubt", message: IN_DOUBT });
    expect(await readFailure(answer)).toMatchObject({ trouble: "unreachable", message: UNREADABLE });
  });
});

test("a failure of the server's side is not called silence, and a change may have been made", async () => {
  const fails = error("InternalServerError", "", { status: 500 });
  expect(await writeFailure(fails)).toMatchObject({ trouble: "commit_in_doubt", message: IN_DOUBT });
  expect(await readFailure(fails)).toMatchObject({
    trouble: "unreachable",
    message: "DynamoDB fails for outbox orders (HTTP 500, InternalServerError).",
  });
});

describe("a refusal", () => {
  const throttled = { CancellationReasons: [{ Code: "None" }, { Code: "ThrottlingError", Message: "Throughput" }] };
  const exceeded = { CancellationReasons: [{ Code: "ProvisionedThroughputExceeded" }, { Code: "None" }] };
  test.each([
    [throttled, "ThrottlingError"],
    [exceeded, "ProvisionedThroughputExceeded"],
  ])("of a transaction whose items are throttled is no internal error", async (reasons, code) => {
    expect(await writeFailure(error("TransactionCanceledException", "cancelled", reasons))).toMatchObject({
      trouble: "refused",
      code: "unavailable",
      message: `DynamoDB throttles outbox orders (${code}); try again in a moment.`,
    });
  });

  test.each([
    ["ExpiredTokenException", "The security token included in the request is expired", /have expired: renew them/],
    [
      "InvalidSignatureException",
      "Signature expired: 20261129T230000Z is now earlier than 20261129T231000Z (20261129T231500Z - 5 min.)",
      /clock of this machine is too far from that of DynamoDB/,
    ],
    [
      "InvalidSignatureException",
      "Signature not yet current: 20261129T233000Z is still later than 20261129T231000Z",
      /clock of this machine is too far/,
    ],
    [
      "InvalidSignatureException",
      "The request signature we calculated does not match the signature you provided.",
      /secret key .* is wrong/,
    ],
    ["UnrecognizedClientException", "The security token included in the request is invalid.", /does not know/],
    ["AccessDeniedException", "User: arn is not authorized to perform: dynamodb:GetItem", /do not allow this/],
  ])("by %s (%s) says what to change", async (name, message, wanted) => {
    const found = await readFailure(error(name, message));
    expect(found).toMatchObject({ trouble: "forbidden", code: "forbidden", message: expect.stringMatching(wanted) });
    expect(found.message).toContain(name);
  });

  test.each([
    ["The table does not have the specified index: unpublished", "does not exist"],
    ["Cannot read from backfilling global secondary index: unpublished", "is still being built"],
  ])("of a read by an index (%s) names the index", async (message, state) => {
    expect(await readFailure(error("ValidationException", message))).toMatchObject({
      trouble: "refused",
      code: "unavailable",
      message: `The index unpublished, by which outbox orders is read, ${state}.`,
    });
  });

  test("by an error that is not known here has its name", async () => {
    const found = await readFailure(
      error("KMSInvalidStateException", "key arn:aws:kms:eu-central-1:1:key/2 is disabled"),
    );
    expect(found).toMatchObject({
      trouble: "refused",
      code: "internal",
      message: "DynamoDB answered for outbox orders with an error (KMSInvalidStateException); the log has its words.",
    });
  });
});
