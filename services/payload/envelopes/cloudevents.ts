import { referenceOf } from "../claim-check.ts";
import { bytesOfBase64 } from "../encodings/base64.ts";
import { factsOf, type JsonEnvelope, stringOf } from "./json-envelope.ts";

const REQUIRED = ["id", "source", "type"];
const ATTRIBUTES = ["type", "id", "source", "subject", "time", "datacontenttype", "dataschema", "dataref"];
const NOT_FACTS = new Set([...ATTRIBUTES, "specversion", "data", "data_base64"]);

/** CloudEvents in structured JSON; extension attributes are facts too. */
export const cloudEvents: JsonEnvelope = (object) => {
  const version = stringOf(object.get("specversion"));
  if (version === undefined || !/^\d\.\d$/.test(version) || !REQUIRED.every((key) => stringOf(object.get(key))))
    return undefined;
  const extensions = [...object.keys()].filter((key) => !NOT_FACTS.has(key));
  const address = stringOf(object.get("dataref"));
  const data = object.get("data");
  const base64 = stringOf(object.get("data_base64")) ?? null;
  const bytes = base64 === null ? null : bytesOfBase64(base64);
  return {
    name: `CloudEvents ${version}`,
    facts: factsOf(object, [...ATTRIBUTES, ...extensions]),
    references: address === undefined ? [] : [referenceOf(address) ?? { place: "dataref", address }],
    inner: bytes ? { kind: "bytes", bytes } : { kind: "json", text: data ?? object.get("data_base64") ?? "null" },
  };
};
