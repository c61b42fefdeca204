import { connect, type Socket } from "node:net";
import type { BrokerKind } from "./broker-kinds.ts";

export type Probe = { version: string | null };

const ANSWER_WITHIN_MS = 2_000;

/**
 * One handshake in the broker's own protocol, without a client: an open port or another kind of server does not count.
 * @returns null when it does not answer as such a broker
 */
export async function probeBroker(kind: BrokerKind, host: string, port: number): Promise<Probe | null> {
  const { hello, read } = HANDSHAKES[kind];
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    const socket: Socket = connect({ host, port });
    const finish = (probe: Probe | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(probe);
    };
    const timer = setTimeout(() => finish(null), ANSWER_WITHIN_MS);
    socket.on("error", () => finish(null));
    socket.on("close", () => finish(null));
    socket.on("connect", () => {
      if (hello !== null) socket.write(hello);
    });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = read(received);
      if (answer !== "more") finish(answer);
    });
  });
}

type Handshake = { hello: Buffer | null; read: (received: Buffer) => Probe | null | "more" };

const HANDSHAKES: Record<BrokerKind, Handshake> = {
  redis: { hello: Buffer.from("INFO server\r\n"), read: readRedis },
  nats: { hello: null, read: readNats },
  rabbitmq: { hello: Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]), read: readRabbitmq },
  kafka: { hello: kafkaMetadataRequest(), read: readKafka },
};

/** NOAUTH counts as running: the server only wants a password first. */
function readRedis(received: Buffer): Probe | null | "more" {
  const text = received.toString("latin1");
  if (/^-NOAUTH/.test(text)) return { version: null };
  if (/^-LOADING/.test(text)) return null;
  if (!text.startsWith("$")) return null;
  const version = /redis_version:([^\r]+)\r/.exec(text)?.[1];
  return version === undefined ? "more" : { version };
}

function readNats(received: Buffer): Probe | null | "more" {
  const text = received.toString("utf8");
  if (!"INFO ".startsWith(text.slice(0, 5))) return null;
  if (!text.includes("\r\n")) return "more";
  const info = JSON.parse(text.slice(5, text.indexOf("\r\n"))) as { version?: string; jetstream?: boolean };
  return info.jetstream === true ? { version: info.version ?? null } : null;
}

/** The first frame is Connection.Start (class 10, method 10) with a table of the server's properties. */
function readRabbitmq(received: Buffer): Probe | null | "more" {
  if (received.length < 11) return "more";
  if (received[0] !== 1 || received.readUInt32BE(7) !== 0x000a000a) return null;
  if (received.length < 7 + received.readUInt32BE(3)) return "more";
  const key = received.indexOf("\x07versionS", 0, "latin1");
  if (key === -1) return { version: null };
  const length = received.readUInt32BE(key + 9);
  return { version: received.toString("utf8", key + 13, key + 13 + length) };
}

/** Metadata, version 1, of no topic: lists the live brokers, of which there are none while a server starts. */
function kafkaMetadataRequest(): Buffer {
  const client = Buffer.from("probe");
  const body = Buffer.alloc(4 + 2 + 2 + 4 + 2 + client.length + 4);
  body.writeInt32BE(body.length - 4, 0);
  body.writeInt16BE(3, 4);
  body.writeInt16BE(1, 6);
  body.writeInt32BE(1, 8);
  body.writeInt16BE(client.length, 12);
  client.copy(body, 14);
  return body;
}

function readKafka(received: Buffer): Probe | null | "more" {
  if (received.length < 12) return "more";
  const brokers = received.readInt32BE(8);
  return received.readInt32BE(4) === 1 && brokers > 0 ? { version: null } : null;
}
