import type { RabbitmqSinkConfig } from "#services/config/sinks/rabbitmq-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import { createLinkSink } from "../link-sink.ts";
import type { Sink } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { failureOfOpen } from "./classify-failure.ts";
import { connectionOptions, FRAME_MAX } from "./connection-options.ts";
import { prepare } from "./envelope.ts";
import { behindExchange, missingQueue } from "./missing-queue.ts";
import { RabbitmqLink } from "./rabbitmq-link.ts";

/**
 * RabbitMQ with publisher confirms: a message is published when every queue that it was routed to has it. A message
 * that no queue takes is unroutable rather than dropped silently.
 */
export function createRabbitmqSink({ config, route }: { config: RabbitmqSinkConfig; route: Router }): Sink {
  const { exchange } = config;
  const url = new URL(config.url);
  const connection = connectionOptions(url, { tls: tlsOptions(config.tls), connectTimeoutMs: config.connectTimeout });
  const { exchangeType, declare, timeout: timeoutMs, connectTimeout: connectTimeoutMs } = config;
  const options = { connection, exchange, exchangeType, declare, timeoutMs, connectTimeoutMs };
  return createLinkSink<RabbitmqLink>({
    kind: "rabbitmq",
    address: `${url.protocol}//${url.host}${url.pathname}${exchange === "" ? "" : ` exchange ${exchange}`}`,
    maxBatch: 1000,
    open: () => RabbitmqLink.open(options),
    prepare(message) {
      const result = route(message);
      if ("failure" in result) return result.failure;
      const prepared = prepare(message, result.routed, { exchange, frameMax: FRAME_MAX });
      return "envelope" in prepared ? (link) => link.publish(message.eventId, prepared) : prepared;
    },
    ...(exchange === "" ? {} : { behind: behindExchange(exchange) }),
    missingTopic: (link, topic) => missingQueue(link, exchange, topic),
    whyNotReady({ blockedBy }) {
      if (blockedBy === null) return null;
      const message = `The broker blocks publishers: ${blockedBy}.`;
      return { code: "throttled", kind: "environment", message };
    },
    failureOfOpen,
  });
}
