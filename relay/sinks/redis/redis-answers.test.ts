import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeCertificates } from "#tests/make-certificates.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import type { PublishOutcome } from "../sink.ts";
import { openRedisSink, type RedisSettings } from "./redis-target.fixture.ts";

const never = new AbortController().signal;
const summaries = (outcomes: readonly PublishOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.kind === "failed" ? `${outcome.failure.kind} ${outcome.failure.code}` : outcome.kind,
  );

/** Publishes one message per aggregate to a server that performs the handshake and then gives the scripted replies. */
async function publishTo(
  answer: (socket: Socket) => void,
  aggregates: readonly (string | null)[],
  settings: RedisSettings = {},
) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("+OK\r\n");
      socket.once("data", () => answer(socket));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sink = openRedisSink("s", { url: `redis://127.0.0.1:${port}`, ...settings });
  onTestFinished(async () => {
    await sink.close();
    server.close();
  });
  return summaries(
    await sink.publish(
      aggregates.map((aggregateId, n) => makeMessage(n, { aggregateId })),
      never,
    ),
  );
}

describe("replies that a real Redis does not give on demand", () => {
  test("what was confirmed before the connection was lost is published, the rest is ambiguous", async () => {
    const outcomes = await publishTo(
      (socket) => socket.end("$3\r\n1-0\r\n$3\r\n2-0\r\n$3\r\n3"),
      ["a", "b", "c", "c", null],
    );
    expect(outcomes).toEqual(["published", "published", "ambiguous unreachable", "aborted", "ambiguous unreachable"]);
  });

  test("what was confirmed before the timeout is published", async () => {
    const outcomes = await publishTo((socket) => socket.write("$3\r\n1-0\r\n*0\r\n"), ["a", "b", "b", "c"], {
      // Longer than a loaded machine takes to connect.
      timeout: 3000,
    });
    expect(outcomes).toEqual(["published", "published", "published", "ambiguous timeout"]);
  });

  test("calls that wait on a connection which was given up got no answer in time either", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write("+OK\r\n");
        socket.once("data", asked);
      });
    });
    let second: Promise<PublishOutcome[]> | undefined;
    const asked = () => {
      second = sink.publish([makeMessage(2)], never);
    };
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const sink = openRedisSink("s", { url: `redis://127.0.0.1:${port}`, timeout: 1000, connectTimeout: 10_000 });
    onTestFinished(async () => {
      await sink.close();
      server.close();
    });
    const first = await sink.publish([makeMessage(1)], never);
    expect(summaries([...first, ...((await second) ?? [])])).toEqual(["ambiguous timeout", "ambiguous timeout"]);
  });

  test.each([
    "MOVED 866 127.0.0.1:7001",
    "OOM command not allowed",
    "READONLY You can't write",
    "TRYAGAIN Multiple keys",
  ])("%s for one command fails that message; for a script it fails the script's first message", async (error) => {
    const answers = `$3\r\n1-0\r\n-${error}\r\n-${error}\r\n$3\r\n2-0\r\n`;
    expect(await publishTo((socket) => socket.write(answers), ["a", "b", "c", "c", "d"])).toEqual([
      "published",
      "environment unavailable",
      "environment unavailable",
      "aborted",
      "published",
    ]);
  });

  test.each([
    ["NOREPLICAS Not enough good replicas to write.", 2],
    ["LOADING Redis is loading the dataset in memory", 2],
    ["MISCONF Redis is configured to save RDB snapshots", 2],
    ["READONLY You can't write against a read only replica.", 2],
    ["NOAUTH Authentication required.", 2],
    ["WRONGTYPE Operation against a key holding the wrong kind of value", 1],
    ["ERR string exceeds maximum allowed size: too large", 1],
  ])(
    "after %s the next message goes over connection %i: the address may lead to another server",
    async (error, next) => {
      const asked: number[] = [];
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        const connection = connections;
        socket.on("error", () => undefined);
        socket.once("data", () => {
          socket.write("+OK\r\n");
          socket.on("data", () => {
            asked.push(connection);
            socket.write(asked.length === 1 ? `-${error}\r\n` : "$3\r\n1-0\r\n");
          });
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const sink = openRedisSink("s", { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` });
      onTestFinished(async () => {
        await sink.close();
        server.close();
      });
      await sink.publish([makeMessage(1)], never);
      expect(summaries(await sink.publish([makeMessage(2)], never))).toEqual(["published"]);
      expect(asked).toEqual([1, next]);
    },
  );

  test("a reply that is neither a confirmation nor an error confirms nothing", async () => {
    const outcomes = await publishTo((socket) => socket.write(":1\r\n$-1\r\n+OK\r\n"), ["a", "b", "c", "c"]);
    expect(outcomes).toEqual(["ambiguous unknown", "ambiguous unknown", "ambiguous unknown", "aborted"]);
  });

  test("a server that does not speak Redis counts as unreachable", async () => {
    const outcomes = await publishTo((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n"), ["a", "a", "b"]);
    expect(outcomes).toEqual(["ambiguous unreachable", "aborted", "ambiguous unreachable"]);
  });
});

test("a password is sent only after the server's certificate is verified", async () => {
  const { server: certificate } = makeCertificates();
  let received = 0;
  const server = createTlsServer(certificate, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received += bytes.length;
    });
  });
  const gone = new Promise<void>((resolve) => {
    server.on("connection", (socket) => socket.on("close", () => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sink = openRedisSink("s", { url: `rediss://:secret@127.0.0.1:${port}` });
  expect(summaries(await sink.publish([makeMessage(1)], never))).toEqual(["environment unreachable"]);
  await gone;
  expect(received).toBe(0);
  await sink.close();
  server.close();
});
