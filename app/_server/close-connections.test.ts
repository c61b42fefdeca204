import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Connections, followConnections } from "./close-connections.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

let connections: Connections;
let server: Server;
let answerOf: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  connections = followConnections();
  server = createServer((request, response) => answerOf(request, response)).listen(0, "127.0.0.1");
  // Only what a stop closes is closed.
  server.keepAliveTimeout = 0;
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<{ client: Socket; text: () => string }> {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  client.on("data", (chunk) => (text += chunk));
  await Promise.all([once(client, "connect"), once(server, "connection")]);
  return { client, text: () => text };
}

/** Resolves when the server has no connection any more; the test's time limit is the assertion. */
function stop(): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  connections.closeUnused();
  return closed;
}

test("a connection that has sent nothing does not hold up a stop", async () => {
  await open();
  await stop();
});

test("a connection whose headers never end does not hold up a stop", async () => {
  const { client } = await open();
  client.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  await stop();
});

test("a request that is open at the stop is answered, and its connection is closed then", async () => {
  const { client, text } = await open();
  const asked = new Promise<ServerResponse>((resolve) => {
    answerOf = (_, response) => resolve(response);
  });
  client.write(REQUEST);
  const response = await asked;
  const stopped = stop();
  response.end("here it is");
  await Promise.all([stopped, once(client, "close")]);
  expect(text()).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\nhere it is$/i);
});

test("an answer that has begun before the stop arrives whole, and its connection is closed then", async () => {
  const { client, text } = await open();
  const asked = new Promise<ServerResponse>((resolve) => {
    answerOf = (_, response) => resolve(response);
  });
  client.write(REQUEST);
  const response = await asked;
  response.write("first");
  const stopped = stop();
  response.end("last");
  await Promise.all([stopped, once(client, "close")]);
  expect(text()).toMatch(/first[\s\S]*last\r\n0\r\n\r\n$/);
});
