import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { WITHOUT_TOPICS } from "./create-router.ts";
import type { Router } from "./router.ts";

/** The topic of a message; null if the sink has none or the message cannot be addressed. */
export function createTopicOf(route: Router, kind: SinkConfig["kind"]): (message: OutgoingMessage) => string | null {
  if (WITHOUT_TOPICS.has(kind)) return () => null;
  return (message) => {
    const result = route(message);
    return "routed" in result ? result.routed.topic : null;
  };
}
