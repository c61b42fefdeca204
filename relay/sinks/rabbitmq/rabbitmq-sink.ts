import type { OutgoingMessage } from "#db/outbox/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { RabbitmqSinkConfig } from "#services/config/sinks/rabbitmq-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import { publishInLanes } from "../publish-in-lanes.ts";
import { SharedLink } from "../shared-link.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { failureOfOpen } from "./classify.ts";
import { connectionOptions, FRAME_MAX } from "./connection-options.ts";
import { prepare } from "./envelope.ts";
import { RabbitmqLink } from "./rabbitmq-link.ts";

/**
 * RabbitMQ with publisher confirms: a message is published when every queue that it was routed to has it. A message that
 * no queue takes is unroutable; nothing is dropped in silence.
 */
export function createRabbitmqSink(input: { config: RabbitmqSinkConfig; route: Router }): Sink {
  const { config, route } = input;
  const { exchange } = config;
  const url = new URL(config.url);
  const connection = connectionOptions(url, { tls: tlsOptions(config.tls), connectTimeoutMs: config.connectTimeout });
  const { exchangeType, declare, timeout: timeoutMs, connectTimeout: connectTimeoutMs } = config;
  const options = { connection, exchange, exchangeType, declare, timeoutMs, connectTimeoutMs };
  const shared = new SharedLink(() => RabbitmqLink.open(options));
  const closing = new AbortController();

  const publishOne = (message: OutgoingMessage): Promise<PublishOutcome> => {
    const result = route(message);
    if ("failure" in result) return fail(result.failure);
    const prepared = prepare(message, result.routed, { exchange, frameMax: FRAME_MAX });
    if (!("envelope" in prepared)) return fail(prepared);
    const send = (link: RabbitmqLink) => link.publish(message.eventId, prepared);
    const link = shared.busy;
    return link ? send(link) : shared.get().then(send, (error: unknown) => fail(failureOfOpen(error)));
  };

  const check = async () => {
    try {
      const { blockedBy } = await shared.get();
      if (blockedBy === null) return null;
      const message = `The broker takes nothing from publishers: ${blockedBy}.`;
      return { code: "throttled", kind: "environment", message } as const;
    } catch (error) {
      return failureOfOpen(error);
    }
  };

  return {
    kind: "rabbitmq",
    maxBatch: 500,
    keepsOrderInBatch: true,
    async connect() {
      // A broker that is not there yet is an outage like any other, which the first message will tell.
      await check();
    },
    check,
    publish: (messages, signal) => publishInLanes({ messages, signals: [signal, closing.signal], send: publishOne }),
    async close() {
      closing.abort();
      await shared.close();
    },
    describe: () => ({
      kind: "rabbitmq",
      address: `${url.protocol}//${url.host}${url.pathname}${exchange === "" ? "" : ` exchange ${exchange}`}`,
    }),
  };
}

function fail(failure: Failure): Promise<PublishOutcome> {
  return Promise.resolve({ kind: "failed", failure });
}
