import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { BrokerUnavailable } from "./broker.ts";
import { BROKER_KINDS, URL_VARIABLES } from "./broker-kinds.ts";
import { findBroker } from "./find-broker.ts";

afterEach(() => vi.unstubAllEnvs());

const NATS = 'INFO {"version":"2.10.0","jetstream":true}\r\n';
const NATS_WITHOUT_JETSTREAM = 'INFO {"version":"2.10.0"}\r\n';

/** Port of a server that greets every client with this text. */
async function listen(greeting: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("uses the broker named in the environment, any of its servers", async () => {
  const port = await listen(NATS);
  vi.stubEnv("TEST_NATS_URL", `nats://127.0.0.1:1,127.0.0.1:${port}`);
  const { broker, own } = await findBroker("nats");
  expect(own).toBeNull();
  expect(broker).toMatchObject({ port, version: "2.10.0", foundBy: "TEST_NATS_URL" });
  expect(broker.addresses).toEqual(["127.0.0.1:1", `127.0.0.1:${port}`]);
});

test("a listener that is not such a broker does not count", async () => {
  vi.stubEnv("TEST_NATS_URL", `127.0.0.1:${await listen(NATS_WITHOUT_JETSTREAM)}`);
  await expect(findBroker("nats")).rejects.toThrow(BrokerUnavailable);
  vi.stubEnv("TEST_REDIS_URL", `redis://127.0.0.1:${await listen("HTTP/1.1 400 Bad Request\r\n\r\n")}`);
  await expect(findBroker("redis")).rejects.toThrow(BrokerUnavailable);
});

test("the reason names the variable and the address but no password", async () => {
  vi.stubEnv("TEST_RABBITMQ_URL", "amqp://user:hunter2@127.0.0.1:1/vhost");
  await expect(findBroker("rabbitmq")).rejects.toThrow(
    "TEST_RABBITMQ_URL names 127.0.0.1:1, where no such broker responds",
  );
});

test.each(BROKER_KINDS)("%s can be left out", async (kind) => {
  vi.stubEnv(URL_VARIABLES[kind], "none");
  await expect(findBroker(kind)).rejects.toThrow(`${URL_VARIABLES[kind]} is "none"`);
});
