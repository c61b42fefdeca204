import { JarsUnavailable, mavenJars } from "../maven-jars.ts";
import { BrokerUnavailable } from "./broker.ts";

/** Folder with the jars of that Kafka version and its dependencies. Throws BrokerUnavailable. */
export async function kafkaJars(version: string, onProgress: (sentence: string) => void): Promise<string> {
  const jars = { title: "Kafka", name: "kafka", groupId: "org.apache.kafka", artifactId: "kafka_2.13", version };
  return mavenJars(jars, onProgress).catch((error: unknown) => {
    throw error instanceof JarsUnavailable ? new BrokerUnavailable(error.message) : error;
  });
}
