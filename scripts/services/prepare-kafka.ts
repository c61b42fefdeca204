import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { findDocker } from "#tests/brokers/docker-engine.ts";
import { findKafkaProgram } from "#tests/brokers/kafka-program.ts";

/** Downloads Kafka beforehand, so that no test's time goes by with it. The tests will say what is missing. */
try {
  if ((await findDocker()) === null) {
    const { version } = await findKafkaProgram({ onProgress: console.log });
    console.log(`Kafka ${version} is here`);
  }
} catch (error) {
  if (!(error instanceof BrokerUnavailable)) throw error;
  console.log(`no Kafka: ${error.message}`);
}
