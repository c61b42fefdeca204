import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { closeIfUnread } from "./answer-work.ts";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(answer: Parameters<typeof createServer>[1]): Promise<number> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

test("an answer that nobody reads loses its connection", async () => {
  const closed = new Promise<void>((resolve) => {
    void listen((_request, response) => {
      closeIfUnread(response, 100);
      response.once("close", resolve);
      response.write(Buffer.alloc(64 * 1024 * 1024));
    }).then((port) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      socket.pause();
    });
  });
  await closed;
});

test("an answer that takes its time keeps its connection", async () => {
  const port = await listen((_request, response) => {
    closeIfUnread(response, 50);
    response.on("timeout", () => response.end("late"));
  });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("late");
});
