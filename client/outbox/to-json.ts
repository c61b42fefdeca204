import { ClientError } from "../errors.ts";

/** By the tag of the object: what has none of its own members in JSON. A class of another realm has the same tag. */
const EMPTIED = new Set(["Map", "Set", "WeakMap", "WeakSet", "Promise", "RegExp", "Error", "ArrayBuffer"]);

/**
 * The payload as JSON text; undefined if JSON has nothing for it. Throws ClientError for a value that JSON.stringify
 * would silently turn into another one, such as null for NaN: a schema that takes anything there would not notice.
 */
export function toJson(payload: unknown, type: string): string | undefined {
  const paths = new Map<unknown, string>();
  return JSON.stringify(payload, function (this: Record<string, unknown>, name, value: unknown) {
    const parent = paths.get(this) ?? "";
    const path = parent === "" ? name : `${parent}.${name}`;
    const change = changeOf(this[name], value, Array.isArray(this));
    if (change) {
      const [what, becomes] = change;
      const at = path === "" ? "" : ` at ${path}`;
      throw new ClientError("invalid_payload", `The payload of ${type} has ${what}${at}, which JSON ${becomes}.`);
    }
    if (typeof value === "object" && value !== null) paths.set(value, path);
    return value;
  });
}

/** What the value is, and what JSON makes of it; null if it is written as it is. `written` is what its toJSON gave. */
function changeOf(given: unknown, written: unknown, inList: boolean): readonly [string, string] | null {
  if (typeof written === "number") return Number.isFinite(written) ? null : [String(written), "writes as null"];
  if (typeof written === "bigint") return ["a BigInt", "does not have: write it as a string"];
  if (written === null) return tagOf(given) === "Date" ? ["an invalid Date", "writes as null"] : null;
  if (typeof written !== "object") return inList ? changeInList(written) : null;
  // A Buffer has a toJSON, which gives a list of numbers.
  if (ArrayBuffer.isView(written) || ArrayBuffer.isView(given))
    return ["bytes", "writes as a number each: write them as base64"];
  const tag = tagOf(written);
  return EMPTIED.has(tag) ? [`${/^[AE]/.test(tag) ? "an" : "a"} ${tag}`, "writes as {}"] : null;
}

/** A member of an object is left out, and so missing to the consumer too; an element keeps its place. */
function changeInList(written: unknown): readonly [string, string] | null {
  if (written === undefined) return ["undefined", "writes as null"];
  return typeof written === "function" || typeof written === "symbol"
    ? [`a ${typeof written}`, "writes as null"]
    : null;
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
