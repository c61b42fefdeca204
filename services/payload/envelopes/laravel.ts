import { jsonSlices } from "../json-slices.ts";
import { factsOf, type JsonEnvelope, stringOf } from "./json-envelope.ts";

/** A queued job of Laravel: its command is PHP, serialized. */
export const laravel: JsonEnvelope = (object) => {
  const data = jsonSlices(object.get("data") ?? "");
  const command = stringOf(data?.get("command"));
  if (!object.has("displayName") || !object.has("job") || command === undefined) return undefined;
  return {
    name: "Laravel job",
    facts: factsOf(object, [["displayName", "type"], ["uuid", "id"], "maxTries", "timeout", "attempts", "job"]),
    inner: { kind: "text", text: command },
  };
};
