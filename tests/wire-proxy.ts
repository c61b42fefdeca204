import { passOn, startProtocolProxy, type WireProxy } from "./protocol-proxy.ts";

/** One message of Postgres' protocol, whole: a type byte, four bytes of length that count themselves, the rest. */
export interface WireMessage {
  type: string;
  bytes: Buffer;
}

/** Observer of one connection. A message is passed on unless the function for it returns false. */
export interface WireWatcher {
  /** The packet that opens the connection, before it is passed on: it has no type byte. */
  fromStartup?(packet: Buffer): void;
  fromClient(message: WireMessage): boolean;
  fromServer(message: WireMessage): boolean;
}

/** A TCP proxy that understands where the messages between a Postgres client and its server begin and end. */
export function startWireProxy(
  target: { host: string; port: number },
  watchConnection: () => WireWatcher,
): Promise<WireProxy> {
  return startProtocolProxy(target, (client, upstream) => {
    const watcher = watchConnection();
    const [readClient, readServer] = [messageReader(), messageReader()];
    // The start-up packet, and a request to cancel, have no type byte.
    client.once("data", (first) => {
      watcher.fromStartup?.(first);
      upstream.write(first);
      client.on("data", (chunk) => passOn(upstream, readClient(chunk), watcher.fromClient));
    });
    upstream.on("data", (chunk) => passOn(client, readServer(chunk), watcher.fromServer));
  });
}

/** Splits what one side sends after its start-up packet into whole messages. */
export function messageReader(): (chunk: Buffer) => WireMessage[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: WireMessage[] = [];
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      messages.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
    }
    return messages;
  };
}
