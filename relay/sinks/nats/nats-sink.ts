import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { NatsSinkConfig } from "#services/config/sinks/nats-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import { createLinkSink } from "../link-sink.ts";
import type { Sink } from "../sink.ts";
import { failureOfOpen } from "./classify-failure.ts";
import { connectionOptions, withoutLogin } from "./connection-options.ts";
import { missingSubject } from "./missing-subject.ts";
import { NatsLink } from "./nats-link.ts";
import { prepare } from "./nats-message.ts";

/**
 * NATS JetStream: a message is published when a stream acknowledges it, also as a duplicate of an earlier one with the
 * same id. A subject that no stream takes is unroutable.
 */
export function createNatsSink({ config, route }: { config: NatsSinkConfig; route: Router }): Sink {
  const options = { connection: connectionOptions(config), timeoutMs: config.timeout };
  return createLinkSink<NatsLink>({
    kind: "nats",
    address: config.servers.map(withoutLogin).join(","),
    maxBatch: 500,
    open: () => NatsLink.open(options),
    prepare(message) {
      const result = route(message);
      if ("failure" in result) return result.failure;
      const prepared = prepare(streamId(message), result.routed);
      return "subject" in prepared ? (link) => link.publish(prepared) : prepared;
    },
    whyNotReady: () => null,
    missingTopic: async (link, topic) => missingSubject(topic, await link.lookUp(topic)),
    failureOfOpen,
  });
}

/**
 * The id by which a stream drops repeats within its window. A re-published message has another one there, or the stream
 * would drop and still acknowledge it; consumers find the message's own id in `event_id`.
 */
function streamId({ eventId, replay }: OutgoingMessage): string {
  return replay === undefined ? eventId : `${eventId}.${replay}`;
}
