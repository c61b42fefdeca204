import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { MissingName } from "#domain/relay/route-template.ts";
import type { RouteConfig } from "#services/config/route-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { bodyOf, contentTypeOf } from "../content-type.ts";
import { compileRowTemplate } from "../name-values.ts";
import { type HeaderSource, idHeaders, type Preset } from "../preset.ts";
import { type Attribute, structuredEvent } from "../structured-event.ts";
import { topicOfRow } from "./plain.ts";

/** How the CloudEvents 1.0 bindings spell an attribute as a header. Redis and log have no binding and use Kafka's. */
const PREFIXES: Record<SinkConfig["kind"], string> = {
  kafka: "ce_",
  http: "ce-",
  rabbitmq: "cloudEvents:",
  nats: "ce-",
  redis: "ce_",
  log: "ce_",
};
const STRUCTURED_TYPE = "application/cloudevents+json; charset=utf-8";
/**
 * Attributes set here, and names that are no attributes: additional columns may not use them. `dataschema` is allowed.
 */
const RESERVED = new Set(
  "specversion id source type subject time datacontenttype data database64 partitionkey".split(" "),
);

/** CloudEvents 1.0. In binary mode every binding sends `datacontenttype` as the content type. */
export function cloudEventsPreset(input: {
  config: RouteConfig;
  outbox: string;
  sinkKind: SinkConfig["kind"];
}): Preset {
  const { config, sinkKind } = input;
  const attributes = attributesOf(input);
  const ids = idHeaders(sinkKind).filter(({ name }) => sinkKind !== "http" || name === "webhook-id");
  if (config.mode !== "binary") {
    return {
      topic: topicOfRow,
      headers: ids,
      content(row, key) {
        const event = structuredEvent(attributes, row, key);
        return typeof event === "string" ? { body: event, contentType: STRUCTURED_TYPE } : event;
      },
    };
  }
  const required = attributes.filter(({ name }) => name === "source" || name === "type");
  const headers = attributes.map(
    ({ name, value }): HeaderSource => ({
      name: `${PREFIXES[sinkKind]}${name}`,
      value(row, key) {
        const text = value(row, key);
        return typeof text === "string" ? text : null;
      },
      ...(name === "id" ? { carriesId: true } : {}),
    }),
  );
  return {
    topic: topicOfRow,
    headers: [...headers, ...ids],
    content(row, key) {
      const missing = required.map(({ value }) => value(row, key)).find(isMissing);
      return missing ?? { body: bodyOf(row.message), contentType: contentTypeOf(row.message) };
    },
  };
}

function attributesOf({ config, outbox, sinkKind }: Parameters<typeof cloudEventsPreset>[0]): Attribute[] {
  const attributes: Attribute[] = [
    { name: "specversion", value: () => "1.0" },
    { name: "id", value: compileRowTemplate("{id}") },
    { name: "source", value: compileRowTemplate(config.source ?? `/outboxes/${outbox}`) },
    { name: "type", value: compileRowTemplate("{eventType}") },
    { name: "subject", value: (row) => row.message.aggregateId || null },
    { name: "time", value: (row) => timeOf(row.message) },
  ];
  if (sinkKind === "kafka") attributes.push({ name: "partitionkey", value: (_, key) => key || null });
  for (const field of Object.keys(config.fields)) {
    const name = field.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (RESERVED.has(name)) continue;
    attributes.push({ name, value: (row) => row.message.fields?.[field] || null });
  }
  return attributes;
}

/** `infinity` and similar values are not RFC 3339 times. */
function timeOf({ createdAt }: OutgoingMessage): string | null {
  return createdAt?.[10] === "T" ? createdAt : null;
}

function isMissing(value: string | null | MissingName): value is MissingName {
  return typeof value === "object" && value !== null;
}
