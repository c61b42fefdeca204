import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sinkNextStep } from "#domain/diagnosis/sink-words.ts";
import type { Failure } from "#domain/failure.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { type Certificate, makeCertificates } from "#tests/make-certificates.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { openSink } from "./open-sink.ts";

const never = new AbortController().signal;
const INFO = `INFO ${JSON.stringify({ server_id: "x", version: "2.9.10", proto: 1, tls_required: true, max_payload: 1_048_576 })}\r\n`;

interface Kind {
  kind: "http" | "kafka" | "rabbitmq" | "redis" | "nats";
  address: (port: number) => object;
}
const KINDS: readonly Kind[] = [
  { kind: "http", address: (port) => ({ url: `https://127.0.0.1:${port}/` }) },
  { kind: "kafka", address: (port) => ({ brokers: [`127.0.0.1:${port}`] }) },
  { kind: "rabbitmq", address: (port) => ({ url: `amqps://127.0.0.1:${port}`, exchange: "events" }) },
  { kind: "redis", address: (port) => ({ url: `rediss://127.0.0.1:${port}` }) },
  { kind: "nats", address: (port) => ({ servers: [`nats://127.0.0.1:${port}`] }) },
];

let ours: ReturnType<typeof makeCertificates>;
let expired: ReturnType<typeof makeCertificates>;
let ofOther: ReturnType<typeof makeCertificates>;
beforeAll(() => {
  ours = makeCertificates();
  expired = makeCertificates(undefined, -1);
  ofOther = makeCertificates("DNS:events.internal");
});

describe.each(KINDS)("a $kind sink whose TLS fails", (sink) => {
  test.each([
    [
      "has expired",
      () => expired,
      /certificate has expired \(CERT_HAS_EXPIRED\)$/,
      /^Renew the receiver's certificate/,
    ],
    [
      "is for another host",
      () => ofOther,
      /does not match certificate's altnames: .*\(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
      /^Write the host name that the certificate has into the address .* tls\.serverName/,
    ],
    [
      "is of an authority that is not known",
      () => ({ server: ours.server, ca: undefined }),
      /the certificate is not signed by a trusted authority \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
      /^Name the authority .* in tls\.ca/,
    ],
  ] as const)("because the certificate %s", async (_, parts, words, step) => {
    const { server, ca } = parts();
    const failure = await failureAt(sink, serverWith(sink.kind, server), ca);
    expect(failure).toMatchObject({ kind: "environment", code: "unreachable", message: expect.stringMatching(words) });
    expect(sinkNextStep(failure)).toMatch(step);
  });
});

// NATS greets first, so a server without TLS is recognised by its greeting.
test.each(KINDS.filter(({ kind }) => kind !== "nats"))("a $kind sink whose port answers without TLS", async (sink) => {
  const failure = await failureAt(sink, createNetServer(answerPlainly), ours.ca);
  expect(failure).toMatchObject({ kind: "environment", code: "unreachable" });
  expect(failure.message).toMatch(/the port answers without TLS \(ERR_SSL_WRONG_VERSION_NUMBER\)$/);
  expect(sinkNextStep(failure)).toMatch(/^Correct the port .* or switch TLS off/);
});

async function failureAt({ kind, address }: Kind, server: Server, ca: string | undefined): Promise<Failure> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const tls = { insecure: false, ...(ca === undefined ? {} : { ca }) };
  const { sinks } = configSchema.parse({ sinks: { events: { kind, ...address(port), tls } } });
  const sink = await openSink({
    config: sinks.events as NonNullable<typeof sinks.events>,
    ...{ outbox: "orders", concurrency: 1 },
    route: () => ({
      routed: { topic: "orders", key: "a", headers: [], body: "{}", contentType: "application/json" },
    }),
  });
  const [outcome] = await sink.publish([makeMessage(1)], never);
  await sink.close();
  if (outcome?.kind !== "failed") throw new Error(`It ended as ${JSON.stringify(outcome)}.`);
  return outcome.failure;
}

/** NATS greets before it asks for TLS. */
function serverWith(kind: Kind["kind"], certificate: Certificate): Server {
  if (kind !== "nats") {
    const server = createTlsServer(certificate, (socket) => socket.on("error", () => undefined));
    server.on("tlsClientError", () => undefined);
    return server;
  }
  return createNetServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(INFO, () => {
      new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => undefined);
    });
  });
}

function answerPlainly(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end("-ERR unknown command\r\n"));
}
