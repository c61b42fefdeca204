import { parseJson } from "../json-slices.ts";
import type { Fact, Layer } from "../layer.ts";

/** A JSON object: the texts of its values by their keys. */
export type JsonObject = ReadonlyMap<string, string>;

/** Recognises one library's envelope; undefined for any other object. `text`: the whole object as written. */
export type JsonEnvelope = (object: JsonObject, text: string) => Layer | undefined;

/** The facts that are there, in the order of `keys`; each key may have another name for people. */
export function factsOf(object: JsonObject, keys: readonly (string | readonly [key: string, name: string])[]): Fact[] {
  return keys.flatMap((one) => {
    const [key, name] = typeof one === "string" ? [one, one] : one;
    const value = factText(object.get(key));
    return value === undefined ? [] : [{ name, value }];
  });
}

/** A JSON text as a fact: strings without their quotes, anything else as written; undefined for null and "". */
export function factText(json: string | undefined): string | undefined {
  if (json === undefined || json === "null" || json === '""') return undefined;
  return stringOf(json) ?? json;
}

/** The string that a JSON text is; undefined for other values. */
export function stringOf(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return undefined;
  const value = parseJson(json)?.value;
  return typeof value === "string" ? value : undefined;
}
