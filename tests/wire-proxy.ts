import { type AddressInfo, connect, createServer } from "node:net";

/** One message of Postgres' protocol, whole: a type byte, four bytes of length that count themselves, the rest. */
export interface WireMessage {
  type: string;
  bytes: Buffer;
}

/** What watches one connection. A message is passed on unless its function returns false. */
export interface WireWatcher {
  /** The packet that opens the connection, before it is passed on: it has no type byte. */
  fromStartup?(packet: Buffer): void;
  fromClient(message: WireMessage): boolean;
  fromServer(message: WireMessage): boolean;
}

export interface WireProxy {
  port: number;
  /** Resets every open connection; new ones are accepted. */
  cutAll(): void;
  close(): Promise<void>;
}

/** A TCP proxy that understands where the messages between a Postgres client and its server begin and end. No TLS. */
export async function startWireProxy(
  target: { host: string; port: number },
  watchConnection: () => WireWatcher,
): Promise<WireProxy> {
  const open = new Set<() => void>();
  const cutAll = () => {
    for (const cut of [...open]) cut();
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    const cut = () => {
      open.delete(cut);
      // What was passed on before the cut has left.
      for (const socket of [client, upstream]) socket.uncork();
      client.resetAndDestroy();
      upstream.destroy();
    };
    open.add(cut);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on("error", cut);
      socket.on("close", cut);
    }
    const watcher = watchConnection();
    const pass = (socket: typeof client, wants: (message: WireMessage) => boolean, messages: WireMessage[]) => {
      // One write for all of a chunk: a result of hundreds of rows is hundreds of messages.
      socket.cork();
      for (const message of messages) if (wants(message) && !socket.destroyed) socket.write(message.bytes);
      socket.uncork();
    };
    const readClient = messageReader();
    const readServer = messageReader();
    // The start-up packet, and a request to cancel, have no type byte.
    client.once("data", (first) => {
      watcher.fromStartup?.(first);
      upstream.write(first);
      client.on("data", (chunk) => pass(upstream, watcher.fromClient, readClient(chunk)));
    });
    upstream.on("data", (chunk) => pass(client, watcher.fromServer, readServer(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAll,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cutAll();
      await closed;
    },
  };
}

function messageReader(): (chunk: Buffer) => WireMessage[] {
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
