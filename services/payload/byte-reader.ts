import { Unreadable } from "./layer.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of valid UTF-8, a byte order mark included; undefined for any other bytes. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads forward through bytes. Every method throws Unreadable where the bytes end too early. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }

  take(count: number): Uint8Array {
    const from = this.#advance(count);
    return this.bytes.subarray(from, from + count);
  }

  peek(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Unreadable("The bytes end too early.");
    return byte;
  }

  uint8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  int8(): number {
    return this.#view.getInt8(this.#advance(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  int16(): number {
    return this.#view.getInt16(this.#advance(2));
  }

  uint32(littleEndian = false): number {
    return this.#view.getUint32(this.#advance(4), littleEndian);
  }

  int32(littleEndian = false): number {
    return this.#view.getInt32(this.#advance(4), littleEndian);
  }

  uint64(littleEndian = false): bigint {
    return this.#view.getBigUint64(this.#advance(8), littleEndian);
  }

  int64(littleEndian = false): bigint {
    return this.#view.getBigInt64(this.#advance(8), littleEndian);
  }

  float32(littleEndian = false): number {
    return this.#view.getFloat32(this.#advance(4), littleEndian);
  }

  float64(littleEndian = false): number {
    return this.#view.getFloat64(this.#advance(8), littleEndian);
  }

  /** Unsigned number of 7 bits a byte, the lowest first; at most 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.uint8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value >= 1n << 64n) break;
        return value;
      }
    }
    throw new Unreadable("A number is longer than 64 bits.");
  }

  /** Valid UTF-8 of `count` bytes. */
  text(count: number): string {
    const text = utf8Of(this.take(count));
    if (text === undefined) throw new Unreadable("A text is not UTF-8.");
    return text;
  }

  #advance(count: number): number {
    if (!Number.isInteger(count) || count < 0 || count > this.left) throw new Unreadable("The bytes end too early.");
    const from = this.at;
    this.at += count;
    return from;
  }
}
