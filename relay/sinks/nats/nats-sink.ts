import type { OutgoingMessage } from "#db/outbox/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { NatsSinkConfig } from "#services/config/sinks/nats-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import { publishInLanes } from "../publish-in-lanes.ts";
import { SharedLink } from "../shared-link.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { failureOfOpen } from "./classify.ts";
import { connectionOptions, withoutLogin } from "./connection-options.ts";
import { NatsLink } from "./nats-link.ts";
import { prepare } from "./nats-message.ts";

/**
 * NATS JetStream: a message is published when a stream has said that it kept it, or that it had kept it before under the
 * same id. A subject that no stream takes is unroutable.
 */
export function createNatsSink(input: { config: NatsSinkConfig; route: Router }): Sink {
  const { config, route } = input;
  const options = { connection: connectionOptions(config), timeoutMs: config.timeout };
  const shared = new SharedLink(() => NatsLink.open(options));
  const closing = new AbortController();

  const publishOne = (message: OutgoingMessage): Promise<PublishOutcome> => {
    const result = route(message);
    if ("failure" in result) return fail(result.failure);
    const prepared = prepare(message.eventId, result.routed);
    if (!("subject" in prepared)) return fail(prepared);
    const send = (link: NatsLink) => link.publish(prepared);
    const link = shared.busy;
    return link ? send(link) : shared.get().then(send, (error: unknown) => fail(failureOfOpen(error)));
  };

  const check = async () => {
    try {
      await shared.get();
      return null;
    } catch (error) {
      return failureOfOpen(error);
    }
  };

  return {
    kind: "nats",
    maxBatch: 500,
    keepsOrderInBatch: true,
    async connect() {
      // A server that is not there yet is an outage like any other, which the first message will tell.
      await check();
    },
    check,
    publish: (messages, signal) => publishInLanes({ messages, signals: [signal, closing.signal], send: publishOne }),
    async close() {
      closing.abort();
      await shared.close();
    },
    describe: () => ({ kind: "nats", address: config.servers.map(withoutLogin).join(",") }),
  };
}

function fail(failure: Failure): Promise<PublishOutcome> {
  return Promise.resolve({ kind: "failed", failure });
}
