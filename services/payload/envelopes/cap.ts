import { jsonSlices } from "../json-slices.ts";
import { factsOf, type JsonEnvelope } from "./json-envelope.ts";

/** CAP's message: headers named `cap-…`, and a value. */
export const cap: JsonEnvelope = (object) => {
  const headers = jsonSlices(object.get("Headers") ?? "");
  const value = object.get("Value");
  if (!headers?.has("cap-msg-id") || value === undefined) return undefined;
  const named = [
    ["cap-msg-name", "name"],
    ["cap-msg-type", "type"],
    ["cap-msg-id", "id"],
    ["cap-senttime", "time"],
    ["cap-corr-id", "correlation"],
    ["cap-corr-seq", "sequence"],
    ["cap-callback-name", "callback"],
  ] as const;
  const known = new Set<string>(named.map(([key]) => key));
  return {
    name: "CAP",
    facts: factsOf(headers, [...named, ...[...headers.keys()].filter((key) => !known.has(key))]),
    inner: { kind: "json", text: value },
  };
};
