import type { BehindTopics, MissingTopic } from "../sink.ts";
import { failureOfOpen } from "./classify.ts";
import type { RabbitmqLink } from "./rabbitmq-link.ts";

/**
 * Without an exchange of its own a topic is a queue's name, which can be looked for. Which queues an exchange routes to
 * is told to nobody who does not publish; that the exchange is there is known from the open link.
 */
export async function missingQueue(link: RabbitmqLink, exchange: string, topic: string): Promise<MissingTopic | null> {
  if (exchange !== "") return null;
  try {
    if (await link.hasQueue(topic)) return null;
    const fix = `rabbitmqadmin declare queue name=${topic} durable=true\nThe broker makes no queue by itself.`;
    return { topic, message: `there is no queue ${topic}: its messages would be dead at once`, fix };
  } catch (error) {
    return {
      topic,
      message: `whether there is a queue ${topic} cannot be told: ${failureOfOpen(error).message}`,
      fix: null,
    };
  }
}

export function behindExchange(exchange: string): BehindTopics {
  return {
    seen: `the exchange ${exchange} is there`,
    unseen:
      "whether a queue is bound for each routing key cannot be asked, and a message whose key no queue takes is dead at once: compare with `rabbitmqctl list_bindings`",
  };
}
