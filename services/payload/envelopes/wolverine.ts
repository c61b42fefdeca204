import { ByteReader } from "../byte-reader.ts";
import { type Layer, Unreadable } from "../layer.ts";

const MOST_HEADERS = 200;
const KNOWN = new Map([
  ["message-type", "type"],
  ["id", "id"],
  ["correlation-id", "correlation"],
  ["conversation-id", "conversation"],
  ["parent-id", "parent"],
  ["saga-id", "saga"],
  ["content-type", "content type"],
  ["reply-uri", "reply to"],
  ["time-to-send", "send at"],
  ["deliver-by", "deliver by"],
]);
/** .NET counts 100 ns from the year 1; this is 1970. */
const TICKS_OF_1970 = 621_355_968_000_000_000n;
const KIND_BITS = 62n;

/**
 * Wolverine's binary envelope: the sending time, headers, then the message's own bytes to the end. Throws Unreadable
 * unless every byte is accounted for and the headers name a message type.
 */
export function readWolverine(bytes: Uint8Array): Layer {
  const input = new ByteReader(bytes);
  const sentAt = input.uint64(true);
  const count = input.int32(true);
  if (count < 1 || count > MOST_HEADERS) throw new Unreadable("not an envelope");
  const headers = new Map<string, string>();
  for (let header = 0; header < count; header += 1) headers.set(dotnetText(input), dotnetText(input));
  const body = input.take(input.int32(true));
  if (!input.ended || !headers.has("message-type")) throw new Unreadable("not an envelope");
  const facts = [...headers].map(([key, value]) => ({ name: KNOWN.get(key) ?? key, value }));
  return {
    name: "Wolverine",
    facts: [...facts, { name: "sent", value: instantOf(sentAt) }],
    inner: { kind: "bytes", bytes: body },
  };
}

/** The reader's text has its length before it, 7 bits a byte. */
function dotnetText(input: ByteReader): string {
  return input.text(Number(input.varint()));
}

function instantOf(binary: bigint): string {
  const ticks = (binary & ((1n << KIND_BITS) - 1n)) - TICKS_OF_1970;
  const date = new Date(Number(ticks / 10_000n));
  if (Number.isNaN(date.getTime())) return `${binary} (binary)`;
  const fraction = String(((ticks % 10_000_000n) + 10_000_000n) % 10_000_000n).padStart(7, "0");
  return date.toISOString().replace(/\.\d+Z$/, `.${fraction}Z`);
}
