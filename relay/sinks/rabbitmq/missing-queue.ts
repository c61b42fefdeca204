import type { BehindTopics, MissingTopic } from "../sink.ts";
import { failureOfOpen } from "./classify-failure.ts";
import type { RabbitmqLink } from "./rabbitmq-link.ts";

/**
 * Without a configured exchange a topic is a queue name, which can be looked up. With an exchange, the broker does not
 * say which queues it routes to, and the open connection already shows that it exists.
 */
export async function missingQueue(link: RabbitmqLink, exchange: string, topic: string): Promise<MissingTopic | null> {
  if (exchange !== "") return null;
  try {
    if (await link.hasQueue(topic)) return null;
    const fix = `rabbitmqadmin declare queue name=${topic} durable=true\nThe broker creates no queues on its own.`;
    return { topic, message: `there is no queue ${topic}: its messages would wait until it exists`, fix };
  } catch (error) {
    return {
      topic,
      message: `whether the queue ${topic} exists is unknown: ${failureOfOpen(error).message}`,
      fix: null,
    };
  }
}

export function behindExchange(exchange: string): BehindTopics {
  return {
    seen: `the exchange ${exchange} exists`,
    unseen:
      "the broker does not say whether a queue is bound for each routing key, and a message whose key matches no binding waits until one does: compare with `rabbitmqctl list_bindings`",
  };
}
