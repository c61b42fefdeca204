import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import type { Sink } from "../sink.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;
const OK = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";

describe("an answer that begins with 200", () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  /** A receiver that answers each request with these bytes, and then does something to the connection. */
  const publish = async (answer: string, then: (socket: Socket) => void, settings: Record<string, unknown> = {}) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("data", () => {
        socket.write(answer);
        then(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const sink: Sink = openTestSink({ url: `http://127.0.0.1:${port}`, ...settings });
    close = async () => {
      await sink.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    };
    const [outcome] = await sink.publish([makeMessage(1)], never);
    return outcome;
  };
  const lost = { kind: "failed", failure: { kind: "ambiguous", code: "unreachable" } };

  test.each([
    ["cut short of its length", `${OK}content-length: 10\r\n\r\nabc`, (socket: Socket) => socket.end()],
    ["reset within its body", `${OK}content-length: 10\r\n\r\nabc`, (socket: Socket) => socket.resetAndDestroy()],
    ["reset before its body", `${OK}content-length: 10\r\n\r\n`, (socket: Socket) => socket.resetAndDestroy()],
    ["without its last chunk", `${OK}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, (socket: Socket) => socket.end()],
    ["cut within its headers", OK, (socket: Socket) => socket.end()],
  ])("confirms nothing if it is %s", async (_, answer, then) => {
    expect(await publish(answer, then)).toMatchObject(lost);
  });

  test("does not confirm by a part of what may be a web page", async () => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100\r\n\r\n<!doc";
    expect(await publish(answer, (socket) => socket.end())).toMatchObject(lost);
  });

  test.each([
    ["complete", `${OK}content-length: 3\r\n\r\nabc`, () => undefined],
    ["ended by the connection's end", `${OK}connection: close\r\n\r\nabc`, (socket: Socket) => socket.end()],
    ["longer than anybody reads", `${OK}content-length: 900000\r\n\r\n${"x".repeat(100_000)}`, () => undefined],
    ["without an end in time", `${OK}content-length: 10\r\n\r\nabc`, () => undefined],
  ])("confirms if it is %s", async (_, answer, then) => {
    expect(await publish(answer, then)).toEqual({ kind: "published" });
  });

  test("of a status that `confirms` names is held to the same", async () => {
    const answer = "HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\nabc";
    expect(await publish(answer, (socket) => socket.end(), { confirms: [202] })).toMatchObject(lost);
  });
});
