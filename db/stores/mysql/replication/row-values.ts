import type { MappedColumn, TimeEncoding } from "../../port/mapping.ts";
import { compact, fromEpoch, zoned } from "../../shared/relay/local-times.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { fixedOffset } from "../tables/zones.ts";

/**
 * A value as the binary log's reader decodes it: text, a number, bytes, or null. Whole numbers that a double cannot
 * hold come as text.
 */
export type LogValue = string | number | Buffer | null;

/** The text of a mapped column, as the table's own reader has it: `columnText` in SQL. */
export function textOf({ type }: Pick<MappedColumn, "type">): (value: LogValue) => string | null {
  switch (kindOf(type)) {
    case "uuid-bytes":
      return (value) => (Buffer.isBuffer(value) ? uuidOf(padded(value, 16)) : plain(value));
    case "bytes":
      return (value) => (Buffer.isBuffer(value) ? value.toString("hex") : plain(value));
    case "integer":
      // Only a bit comes as bytes.
      return (value) => (Buffer.isBuffer(value) ? bitsOf(value) : plain(value));
    case "float":
      return type.startsWith("float") ? singleText : plain;
    default:
      return plain;
  }
}

/** The same as `keyText` in SQL. */
export function keyTextOf(column: Pick<MappedColumn, "type">): (value: LogValue) => string | null {
  if (kindOf(column.type) !== "datetime") return textOf(column);
  const zone = column.type.startsWith("timestamp") ? "Z" : "";
  return (value) => {
    if (typeof value !== "string") return plain(value);
    const [whole = "", fraction = ""] = value.split(".");
    return `${whole.replace(" ", "T")}.${fraction.padEnd(6, "0")}${zone}`;
  };
}

/** Any column but a FLOAT as text; bytes are read as UTF-8, as a SELECT sends them. */
export function plain(value: LogValue): string | null {
  if (value === null) return null;
  if (typeof value === "number") return numberText(value);
  return Buffer.isBuffer(value) ? value.toString("utf8") : value;
}

/** Digits with which the server prints a FLOAT. */
const SINGLE_DIGITS = 6;

/** A FLOAT as text, which the log's reader hands over as the nearest double. */
export function singleText(value: LogValue): string | null {
  return plain(typeof value === "number" ? Number(value.toPrecision(SINGLE_DIGITS)) : value);
}

/** RFC 3339 in UTC of a time column's text; null if it is no time. */
export function rfc3339Of(text: string, column: MappedColumn): string | null {
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return inUtc(text);
    case "timestamp":
      if (fixedOffset(time.zone) === 0) return inUtc(text);
      return text.startsWith("0000") ? null : zoned(text.length === 10 ? `${text} 00:00:00` : text, time.zone);
    case "epoch":
      return fromEpoch(Number(text) / { s: 1, ms: 1000, us: 1_000_000, ns: 1_000_000_000 }[time.unit]);
    case "compact-text":
      return compact(text, time.zone);
  }
}

function inUtc(text: string): string | null {
  return text.startsWith("0000") ? null : `${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`;
}

/** The log leaves out zero bytes at the end. */
function padded(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function bitsOf(bytes: Buffer): string {
  return bytes.length === 0 ? "0" : BigInt(`0x${bytes.toString("hex")}`).toString();
}

/** The server prints a number whose point is so many digits away, or that is so long, with an exponent. */
const FARTHEST_POINT = 15;
const LONGEST = 22;

/** As the server prints a DOUBLE; both print the fewest digits that give the same number. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const point = Number(exponent) + 1;
  const sign = value < 0 ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  const plainText =
    point <= 0
      ? `${sign}0.${"0".repeat(-point)}${digits}`
      : `${sign}${digits.slice(0, point).padEnd(point, "0")}${digits.length > point ? `.${digits.slice(point)}` : ""}`;
  const far = point < 1 - FARTHEST_POINT || point > FARTHEST_POINT;
  return far || plainText.length > LONGEST ? `${mantissa}e${Number(exponent)}` : plainText;
}
