import type { KafkaSinkConfig } from "#services/config/sinks/kafka-sink-schema.ts";
import type { MissingTopic } from "../sink.ts";
import { failureOfError } from "./classify-failure.ts";
import { whyIllegal } from "./legal-topic.ts";
import type { Topics } from "./topics.ts";

/** Looks topics up without creating them: `auto.create.topics.enable` does not apply to the relay's requests. */
export async function missingTopics(
  config: KafkaSinkConfig,
  topics: Topics,
  names: readonly string[],
): Promise<MissingTopic[]> {
  const illegal = names.flatMap((topic) => {
    const message = whyIllegal(topic);
    return message === null ? [] : [{ topic, message, fix: null }];
  });
  const legal = names.filter((topic) => whyIllegal(topic) === null);
  try {
    await topics.resolve(legal);
  } catch (error) {
    const { message } = failureOfError(error, false);
    return [...illegal, ...legal.map((topic) => ({ topic, message, fix: null }))];
  }
  const missing = legal.flatMap((topic): MissingTopic[] => {
    const failure = topics.known(topic)?.failure;
    if (!failure) return [];
    if (failure.code !== "unroutable") return [{ topic, message: failure.message, fix: null }];
    return [
      {
        topic,
        message: `there is no topic ${topic}: its messages would wait until it exists`,
        fix: create(config, topic),
      },
    ];
  });
  return [...illegal, ...missing];
}

function create({ brokers }: KafkaSinkConfig, topic: string): string {
  const server = (brokers[0] ?? "").replace(/^.*@/, "");
  const command = `kafka-topics.sh --bootstrap-server ${server} --create --topic ${topic}`;
  return `${command}\nThe relay creates no topics and does not make the broker create them (auto.create.topics.enable). Choose partitions and replicas yourself.`;
}
