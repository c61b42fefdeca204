import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item as DynamoDB returns it: numbers are texts, so that none loses a digit. */
export type Item = Record<string, AttributeValue>;

/** An attribute as text; null for an absent one. Numbers as stored, bytes as base64, documents as JSON. */
export function textOf(value: AttributeValue | undefined): string | null {
  if (value === undefined || value.NULL) return null;
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return value.N;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.B !== undefined) return Buffer.from(value.B).toString("base64");
  return jsonOf(value);
}

/** JSON of a document, with every number as it is stored. */
export function jsonOf(value: AttributeValue): string {
  if (value.N !== undefined) return value.N;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.M !== undefined) {
    const pairs = Object.entries(value.M).map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`);
    return `{${pairs.join(",")}}`;
  }
  if (value.L !== undefined) return `[${value.L.map(jsonOf).join(",")}]`;
  if (value.NS !== undefined) return `[${value.NS.join(",")}]`;
  if (value.SS !== undefined) return JSON.stringify(value.SS);
  if (value.BS !== undefined) return JSON.stringify(value.BS.map((bytes) => Buffer.from(bytes).toString("base64")));
  return JSON.stringify(textOf(value));
}

/** DynamoDB's own notation of an item, with its attributes in one order: equal for equal items. */
export function canonical(item: Item): string {
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, inner]) => [name, plain(inner)]),
    );
  };
  return JSON.stringify(plain(item));
}

/** About the size that DynamoDB counts towards its limit of 400 KB, bytes. */
export function sizeOf(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: AttributeValue): number {
  if (value.B !== undefined) return value.B.byteLength;
  if (value.BS !== undefined) return value.BS.reduce((sum, bytes) => sum + bytes.byteLength, 3);
  if (value.M !== undefined) return 3 + sizeOf(value.M) + Object.keys(value.M).length;
  if (value.L !== undefined) return value.L.reduce((sum, inner) => sum + valueBytes(inner) + 1, 3);
  return Buffer.byteLength(textOf(value) ?? "0");
}
