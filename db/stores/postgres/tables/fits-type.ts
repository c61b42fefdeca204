const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Types that `fitsType` can check. */
export const KNOWN_TYPE = /^(uuid$|bigint$|integer$|smallint$|text$|character|citext$|name$|timestamp|numeric)/;

/**
 * True if a text can be a value of the type, so that a search never fails in a cast. Postgres text has no zero byte.
 */
export function fitsType(text: string, type: string): boolean {
  if (text.includes("\0")) return false;
  if (type === "uuid") return UUID.test(text);
  if (/^(bigint|integer|smallint)$/.test(type)) return /^-?\d{1,19}$/.test(text) && inRange(text, type);
  if (type.startsWith("timestamp")) return isInstant(text);
  return /^numeric/.test(type) ? /^-?\d{1,500}(\.\d{1,500})?$/.test(text) : true;
}

function isInstant(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z?$/.exec(text);
  const day = match?.[1];
  return day !== undefined && !day.startsWith("0000") && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
}

function inRange(text: string, type: string): boolean {
  const limit = type === "bigint" ? 2n ** 63n : type === "integer" ? 2n ** 31n : 2n ** 15n;
  const value = BigInt(text);
  return value < limit && value >= -limit;
}
