import { afterEach, beforeEach, expect, test } from "vitest";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { MASK, withoutSecrets } from "./connect-answers.ts";
import { openConnect } from "./connect-client.ts";

let connect: ConnectStandIn;

beforeEach(async () => {
  connect = await startConnectStandIn();
});

afterEach(() => connect.close());

const open = (authorization: string | null = null, address = `${connect.url}/`) =>
  openConnect({ connect: { address, authorization }, connector: "orders-connector" });

test("reads states, topics and offsets as Connect gives them", async () => {
  const client = open();
  expect(await client.status()).toMatchObject({
    connector: { state: "RUNNING" },
    tasks: [{ id: 0, state: "RUNNING" }],
  });
  expect(await client.topics()).toEqual(["outbox.event.order"]);
  expect((await client.offsets()).offsets[0]?.offset).toMatchObject({ lsn_commit: 24023000, txId: 571 });
});

test("no password of the connector's configuration reaches its reader", async () => {
  if (connect.connector)
    connect.connector.config = {
      "database.password": "s3cret",
      "producer.override.sasl.jaas.config": 'x required password="s3cret";',
      "driver.url": "jdbc:postgresql://app:s3cret@db/shop?password=s3cret",
      "slot.name": "orders_slot",
    };
  const config = await open().config();
  expect(JSON.stringify(config)).not.toContain("s3cret");
  expect(config).toMatchObject({ "database.password": MASK, "slot.name": "orders_slot" });
});

test("a trace keeps its sense and loses its password", () => {
  expect(withoutSecrets("FATAL: password authentication failed for user x")).toBe(
    "FATAL: password authentication failed for user x",
  );
  expect(withoutSecrets("jdbc:postgresql://app:s3cret@db/shop?password=s3cret&ssl=true")).not.toContain("s3cret");
});

test("acts go to the paths that Connect documents", async () => {
  const client = open();
  await client.act("pause");
  await client.act("resume");
  await client.act("restart");
  await client.restartTask(0);
  const base = "/connectors/orders-connector";
  expect(connect.acts).toEqual([
    `PUT ${base}/pause`,
    `PUT ${base}/resume`,
    `POST ${base}/restart?includeTasks=true&onlyFailed=false`,
    `POST ${base}/tasks/0/restart`,
  ]);
});

test("a missing task is not told as a missing connector", async () => {
  await expect(open().restartTask(7)).rejects.toThrow(/ answered HTTP 404: HTTP 404 Not Found\.$/);
});

test("a missing connector, a wrong password and a closed port are sentences", async () => {
  connect.connector = null;
  await expect(open().status()).rejects.toThrow(/has no connector named orders-connector\.$/);
  connect.authorization = "Basic b3BzOnMzY3JldA==";
  await expect(open("Basic d3Jvbmc=").status()).rejects.toThrow(/refuses the user in the URL \(HTTP 401\)\.$/);
  await connect.close();
  await expect(open().status()).rejects.toThrow(/cannot be reached: the connection was (refused|closed)\.$/);
});
