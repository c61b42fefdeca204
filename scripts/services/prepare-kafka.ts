import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { findDocker } from "#tests/brokers/docker-engine.ts";
import { findKafkaProgram } from "#tests/brokers/kafka-program.ts";

/** Downloads Kafka beforehand, so that no test spends its time on it. On failure the tests report the reason. */
try {
  if ((await findDocker()) === null) {
    const { version } = await findKafkaProgram({ onProgress: console.log });
    console.log(`Kafka ${version} is here`);
  }
} catch (error) {
  if (!(error instanceof BrokerUnavailable)) throw error;
  console.log(`no Kafka: ${error.message}`);
}
