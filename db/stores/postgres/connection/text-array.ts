const PLAIN = /^[A-Za-z0-9_-]+$/;

/** A text[] literal. Uuids and numbers, which come by the thousand, need no quoting. */
export function textArray(values: readonly string[]): string {
  return `{${values.map(quoteElement).join(",")}}`;
}

function quoteElement(value: string): string {
  if (PLAIN.test(value) && value.toLowerCase() !== "null") return value;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
