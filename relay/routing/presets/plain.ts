import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { bodyOf, contentTypeOf } from "../content-type.ts";
import type { RowTemplate } from "../name-values.ts";
import { type HeaderSource, idHeaders, type Preset } from "../preset.ts";

const NO_TOPIC = { missing: "topic or aggregateType" };

/** The row's topic, otherwise its aggregate type. */
export const topicOfRow: RowTemplate = ({ message }) => message.topic || message.aggregateType || NO_TOPIC;

const NAMES = { eventType: "event_type", aggregateType: "aggregate_type", aggregateId: "aggregate_id" } as const;
/** Names as in webhooks, because many receivers drop headers with an underscore. */
const HTTP_NAMES = { eventType: "event-type", aggregateType: "aggregate-type", aggregateId: "aggregate-id" } as const;

/** The row's values under plain names; the body is the stored payload. */
export function plainPreset({ sinkKind }: { sinkKind: SinkConfig["kind"] }): Preset {
  const http = sinkKind === "http";
  const names = http ? HTTP_NAMES : NAMES;
  const headers: HeaderSource[] = [
    ...idHeaders(sinkKind),
    { name: names.eventType, value: (row) => row.message.eventType },
    { name: names.aggregateType, value: (row) => row.message.aggregateType },
    { name: names.aggregateId, value: (row) => row.message.aggregateId },
    { name: http ? "event-created-at" : "created_at", value: (row) => row.message.createdAt },
  ];
  return {
    topic: topicOfRow,
    headers,
    content: ({ message }) => ({ body: bodyOf(message), contentType: contentTypeOf(message) }),
  };
}
