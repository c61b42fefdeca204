import { isUnsigned, kindOf } from "./column-kinds.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Bits of the types of whole numbers. */
const BITS: Record<string, bigint> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n, integer: 32n, year: 16n };

/** True if a text can be a value of the type: MySQL turns any other text into 0 or null, with only a warning. */
export function fitsType(text: string, type: string): boolean {
  switch (kindOf(type)) {
    case "integer":
      return /^-?\d{1,20}$/.test(text) && inRange(text, type);
    case "decimal":
      return /^-?\d{1,65}(\.\d{1,30})?$/.test(text);
    case "float":
      return text.trim() !== "" && Number.isFinite(Number(text));
    case "uuid":
    case "uuid-bytes":
      return UUID.test(text);
    case "bytes":
      return /^([0-9a-f]{2})*$/i.test(text);
    case "datetime":
      return isInstant(text);
    case "date":
      return isDay(text);
    default:
      return true;
  }
}

function isInstant(text: string): boolean {
  const [, day] = /^(\d{4}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z?$/.exec(text) ?? [];
  return day !== undefined && isDay(day);
}

/** Also the zero date, which a table may hold. */
function isDay(text: string): boolean {
  return text === "0000-00-00" || new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

function inRange(text: string, type: string): boolean {
  const bits = BITS[/^[a-z]+/.exec(type)?.[0] ?? ""] ?? 64n;
  const value = BigInt(text);
  if (isUnsigned(type)) return value >= 0n && value < 2n ** bits;
  return value < 2n ** (bits - 1n) && value >= -(2n ** (bits - 1n));
}
