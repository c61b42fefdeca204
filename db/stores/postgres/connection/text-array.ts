const PLAIN = /^[A-Za-z0-9_-]+$/;

/** A text[] literal. Uuids and numbers, which come by the thousand, need no quoting. */
export function textArray(values: readonly string[]): string {
  return `{${values.map(quoteElement).join(",")}}`;
}

function quoteElement(value: string): string {
  if (PLAIN.test(value) && !isNull(value)) return value;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** True if the array would read it as NULL. The length is compared first: lower case would be a copy of each id. */
function isNull(value: string): boolean {
  return value.length === 4 && value.toLowerCase() === "null";
}
