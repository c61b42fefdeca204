import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { WireProxy } from "./wire-proxy.ts";

/** One packet of MySQL's protocol, whole: three bytes of length, one of its number in the exchange, the rest. */
export interface MysqlPacket {
  sequence: number;
  body: Buffer;
  bytes: Buffer;
}

/** What watches one connection. A packet is passed on unless its function returns false. */
export interface MysqlWatcher {
  fromClient(packet: MysqlPacket): boolean;
  fromServer(packet: MysqlPacket): boolean;
}

const HEADER = 4;

/** A TCP proxy that understands where the packets between a MySQL client and its server begin and end. No TLS. */
export async function startMysqlWireProxy(
  target: { host: string; port: number },
  watchConnection: () => MysqlWatcher,
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
    const join = (from: Socket, to: Socket, wants: (packet: MysqlPacket) => boolean) => {
      const read = packetReader();
      from.on("data", (chunk) => {
        to.cork();
        for (const packet of read(chunk)) if (wants(packet) && !to.destroyed) to.write(packet.bytes);
        to.uncork();
      });
    };
    join(client, upstream, watcher.fromClient);
    join(upstream, client, watcher.fromServer);
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

function packetReader(): (chunk: Buffer) => MysqlPacket[] {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    let rest = size < HEADER ? Buffer.alloc(0) : joined(parts);
    if (rest.length === 0) return [];
    const packets: MysqlPacket[] = [];
    while (rest.length >= HEADER) {
      const length = HEADER + rest.readUIntLE(0, 3);
      if (rest.length < length) break;
      const bytes = rest.subarray(0, length);
      packets.push({ sequence: bytes[3] ?? 0, body: bytes.subarray(HEADER), bytes });
      rest = rest.subarray(length);
    }
    parts = [rest];
    size = rest.length;
    return packets;
  };
}

function joined(parts: Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
