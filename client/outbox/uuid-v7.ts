import { randomBytes } from "node:crypto";

let lastMs = 0;
let count = 0;

/**
 * A UUID of version 7 (RFC 9562): begins with the time, so that keys are inserted at the end of their index. Ids of one
 * process rise, also within a millisecond, by the 12 bits after the version.
 */
export function uuidV7(nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    count = randomBytes(2).readUInt16BE() & 0x7ff;
  } else {
    count += 1;
    if (count > 0xfff) {
      lastMs += 1;
      count = 0;
    }
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
