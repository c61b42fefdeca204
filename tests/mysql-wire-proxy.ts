import { passOn, startProtocolProxy, type WireProxy } from "./protocol-proxy.ts";

/** One packet of MySQL's protocol, whole: three bytes of length, one of its number in the exchange, the rest. */
export interface MysqlPacket {
  sequence: number;
  body: Buffer;
  bytes: Buffer;
}

/** Observer of one connection. A packet is passed on unless the function for it returns false. */
export interface MysqlWatcher {
  fromClient(packet: MysqlPacket): boolean;
  fromServer(packet: MysqlPacket): boolean;
}

const HEADER = 4;

/** A TCP proxy that understands where the packets between a MySQL client and its server begin and end. */
export function startMysqlWireProxy(
  target: { host: string; port: number },
  watchConnection: () => MysqlWatcher,
): Promise<WireProxy> {
  return startProtocolProxy(target, (client, upstream) => {
    const watcher = watchConnection();
    const [readClient, readServer] = [packetReader(), packetReader()];
    client.on("data", (chunk) => passOn(upstream, readClient(chunk), watcher.fromClient));
    upstream.on("data", (chunk) => passOn(client, readServer(chunk), watcher.fromServer));
  });
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
