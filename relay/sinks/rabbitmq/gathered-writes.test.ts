import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Connection } from "rabbitmq-client";
import { expect, onTestFinished, test, vi } from "vitest";
import { GatheredWrites } from "./gathered-writes.ts";

/** A connection to a peer that never answers, and the client's own socket. */
async function connected() {
  const server = createServer((socket) => socket.resume());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const connection = new Connection({ hostname: "127.0.0.1", port: (server.address() as AddressInfo).port });
  onTestFinished(() => {
    connection.unsafeDestroy();
    server.close();
  });
  const socket = Reflect.get(connection, "_socket") as Socket;
  await once(socket, "connect");
  const [one, many] = [vi.spyOn(socket, "_write"), vi.spyOn(socket as Required<Socket>, "_writev")];
  return {
    socket,
    writes: new GatheredWrites(connection),
    count: () => one.mock.calls.length + many.mock.calls.length,
  };
}

test("everything the client writes within a turn leaves in one write", async () => {
  const { socket, writes, count } = await connected();
  writes.gather();
  for (const text of ["a", "b", "c"]) {
    writes.gather();
    socket.write(text);
  }
  expect(count()).toBe(0);
  await setImmediate();
  expect(count()).toBe(1);
  socket.write("d");
  expect(count()).toBe(2);
});

test("so does everything written once the socket has drained", async () => {
  const { socket, count } = await connected();
  socket.emit("drain");
  for (const text of ["a", "b"]) socket.write(text);
  expect(count()).toBe(0);
  await setImmediate();
  expect(count()).toBe(1);
});

test("the client's own cork stays", async () => {
  const { socket, writes, count } = await connected();
  writes.gather();
  socket.cork();
  socket.write("a");
  await setImmediate();
  expect(count()).toBe(0);
  socket.uncork();
  expect(count()).toBe(1);
});

test("without the client's socket writes are not gathered, and nothing fails", () => {
  expect(() => new GatheredWrites({} as Connection).gather()).not.toThrow();
});
