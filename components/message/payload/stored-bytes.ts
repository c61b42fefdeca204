import type { MessageDetail } from "#contracts/message/messages.ts";

type Payload = NonNullable<MessageDetail["payload"]>;

/** The stored bytes as far as the page has them: all, or the first of a long value. */
export function storedBytes({ text, format }: Payload): Uint8Array {
  return format === "base64" ? bytesOfBase64(text) : new TextEncoder().encode(text);
}

export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

export interface HexRow {
  offset: string;
  hex: string;
  text: string;
}

/** Rows of a hex dump: offset, bytes, and a dot for each byte that is no printable ASCII. */
export function hexRows(bytes: Uint8Array, { most, width }: { most: number; width: number }): HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < Math.min(bytes.length, most); at += width) {
    const row = [...bytes.subarray(at, Math.min(at + width, most))];
    rows.push({
      offset: at.toString(16).padStart(6, "0"),
      hex: row.map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
      text: row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return rows;
}
