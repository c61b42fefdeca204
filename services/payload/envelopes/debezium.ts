import { jsonSlices } from "../json-slices.ts";
import type { Fact } from "../layer.ts";
import { factsOf, factText, type JsonEnvelope, stringOf } from "./json-envelope.ts";

const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ["c", "create"],
  ["u", "update"],
  ["d", "delete"],
  ["r", "read (snapshot)"],
  ["t", "truncate"],
]);

/** Kafka Connect's JSON converter with schemas: the schema, and the payload that it describes. */
export const kafkaConnect: JsonEnvelope = (object) => {
  const schema = jsonSlices(object.get("schema") ?? "");
  const payload = object.get("payload");
  if (object.size !== 2 || !schema?.has("type") || payload === undefined) return undefined;
  return {
    name: "Kafka Connect JSON with schema",
    facts: factsOf(schema, [["name", "schema"], "type", "version"]),
    inner: { kind: "json", text: payload },
  };
};

/** A change event of Debezium. The row's state, the newest there is, is the content. */
export const debezium: JsonEnvelope = (object) => {
  const operation = stringOf(object.get("op"));
  const source = jsonSlices(object.get("source") ?? "");
  if (operation === undefined || !source?.has("connector") || !(object.has("after") || object.has("before")))
    return undefined;
  const table = ["db", "schema", "table"].map((key) => stringOf(source.get(key))).filter((part) => part !== undefined);
  const change = ["before", "after"].map((key) => `${JSON.stringify(key)}:${object.get(key) ?? "null"}`);
  const facts: Fact[] = [
    { name: "operation", value: OPERATIONS.get(operation) ?? operation },
    ...(table.length > 0 ? [{ name: "table", value: table.join(".") }] : []),
    ...factsOf(source, ["connector", "version", "name", "snapshot", "lsn", "txId", "gtid"]),
    ...timeFact("time at the source, ms", source.get("ts_ms")),
    ...timeFact("time of the event, ms", object.get("ts_ms")),
  ];
  return { name: "Debezium change event", facts, inner: { kind: "json", text: `{${change.join(",")}}` } };
};

function timeFact(name: string, json: string | undefined): Fact[] {
  const value = factText(json);
  return value === undefined ? [] : [{ name, value }];
}
