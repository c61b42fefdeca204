import type { OutgoingMessage } from "#db/outbox/relay-port.ts";
import type { RouteConfig, SinkConfig } from "#services/config/config-schema.ts";
import type { Router } from "./router.ts";

/** How the messages of one outbox are addressed at one kind of sink. */
export function createRouter(input: { config: RouteConfig; outbox: string; sinkKind: SinkConfig["kind"] }): Router {
  return (message) => {
    const topic = input.config.topic ?? message.topic ?? message.aggregateType;
    if (!topic) {
      return {
        failure: { code: "unroutable", kind: "message", message: "The message names no topic and no aggregate type." },
      };
    }
    return {
      routed: {
        topic,
        key: message.aggregateId,
        headers: headersOf(message),
        body: bodyOf(message),
        contentType: message.payloadKind === "binary" ? "application/octet-stream" : "application/json",
      },
    };
  };
}

function headersOf(message: OutgoingMessage): [string, string][] {
  const headers: [string, string | null][] = [
    ["event_id", message.eventId],
    ["event_type", message.eventType],
    ["aggregate_type", message.aggregateType],
    ["aggregate_id", message.aggregateId],
    ["created_at", message.createdAt],
  ];
  return headers.filter((header): header is [string, string] => header[1] !== null);
}

function bodyOf({ payload, payloadKind }: OutgoingMessage): string | Buffer | null {
  return payload !== null && payloadKind === "binary" ? Buffer.from(payload, "base64") : payload;
}
