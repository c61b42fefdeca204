import { isLosslessNumber, parse } from "lossless-json";

/** A parsed payload value; numbers keep their text, so 9007199254740993 and 1.10 stay what they are. */
export type PayloadValue = unknown;

interface Container {
  kind: "object" | "array";
  size: number;
}
interface Scalar {
  kind: "string" | "number" | "literal";
  text: string;
}
export type Described = Container | Scalar;

/** undefined when the text is not JSON or has duplicate keys; then only the stored text is shown. */
export function readPayload(text: string): { value: PayloadValue } | undefined {
  try {
    return { value: parse(text) };
  } catch {
    // Not an error: a payload may be anything, and its raw text is always available.
    return undefined;
  }
}

export function describeValue(value: PayloadValue): Described {
  if (isLosslessNumber(value)) return { kind: "number", text: value.value };
  if (Array.isArray(value)) return { kind: "array", size: value.length };
  if (typeof value === "string") return { kind: "string", text: value };
  if (typeof value === "object" && value !== null) return { kind: "object", size: Object.keys(value).length };
  return { kind: "literal", text: String(value) };
}

/** Children in order, `limit` at most; array items have no key. */
export function childrenOf(value: PayloadValue, limit: number): { key: string | undefined; value: PayloadValue }[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item: unknown) => ({ key: undefined, value: item }));
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return [];
  return Object.entries(value)
    .slice(0, limit)
    .map(([key, item]) => ({ key, value: item as PayloadValue }));
}

/** Number of values, counted up to `stop`; decides whether everything starts expanded. */
export function countValues(value: PayloadValue, stop: number): number {
  let count = 0;
  const open: PayloadValue[] = [value];
  while (open.length > 0 && count < stop) {
    const next = open.pop();
    count += 1;
    for (const child of childrenOf(next, stop)) open.push(child.value);
  }
  return count;
}
