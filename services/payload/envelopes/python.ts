import { bytesOfBase64 } from "../encodings/base64.ts";
import { jsonSlices } from "../json-slices.ts";
import { factsOf, type JsonEnvelope, stringOf } from "./json-envelope.ts";

/** A message of Celery as Kombu writes it into a database: the body in base64, headers, properties. */
export const celery: JsonEnvelope = (object) => {
  const headers = jsonSlices(object.get("headers") ?? "");
  const properties = jsonSlices(object.get("properties") ?? "");
  const body = stringOf(object.get("body"));
  if (!headers?.has("task") || !properties || body === undefined || !object.has("content-type")) return undefined;
  const bytes = stringOf(properties.get("body_encoding")) === "base64" ? bytesOfBase64(body) : undefined;
  return {
    name: "Celery",
    facts: [
      ...factsOf(headers, ["task", "id", ["root_id", "root"], ["parent_id", "parent"], "lang", "origin", "retries"]),
      ...factsOf(headers, ["eta", "expires"]),
      ...factsOf(object, [["content-type", "content type"]]),
    ],
    inner: bytes ? { kind: "bytes", bytes } : { kind: "text", text: body },
  };
};

/** FastStream's JSON format: exactly data and headers, with a correlation id among these. */
export const fastStream: JsonEnvelope = (object) => {
  const headers = jsonSlices(object.get("headers") ?? "");
  const data = object.get("data");
  if (object.size !== 2 || data === undefined || !headers?.has("correlation_id")) return undefined;
  return {
    name: "FastStream",
    facts: factsOf(headers, [
      ["correlation_id", "correlation"],
      ...[...headers.keys()].filter((k) => k !== "correlation_id"),
    ]),
    inner: { kind: "json", text: data },
  };
};
