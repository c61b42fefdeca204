import { findProgram } from "../brokers/find-program.ts";
import { OLDEST_JAVA_OF_KAFKA_4, readJavaVersion } from "../brokers/kafka-program.ts";
import { JarsUnavailable, mavenJars } from "../maven-jars.ts";
import { EVERYTHING } from "../test-depth.ts";

/** Kafka Connect is not available on this machine; the message has the reason. */
export class ConnectUnavailable extends Error {
  override readonly name = "ConnectUnavailable";
}

const CONNECT = {
  ...{ title: "Kafka Connect", name: "connect", groupId: "org.apache.kafka", artifactId: "connect-runtime" },
  version: "4.2.1",
};
const debezium = (database: string, version: string) => ({
  ...{ title: `Debezium for ${database}`, name: `debezium-${database}`, groupId: "io.debezium" },
  artifactId: `debezium-connector-${database}`,
  version,
});
const PLUGINS = {
  postgres: debezium("postgres", "3.7.0.Final"),
  mysql: debezium("mysql", "3.6.1.Final"),
  mariadb: debezium("mariadb", "3.5.0.Final"),
};
export type ConnectPlugin = keyof typeof PLUGINS;
/** Those that this run's tests need. */
export const TESTED_PLUGINS: readonly ConnectPlugin[] = EVERYTHING ? ["postgres", "mysql", "mariadb"] : ["postgres"];

export interface ConnectJars {
  java: string;
  connect: string;
  plugins: { name: ConnectPlugin; folder: string }[];
  /** For people. */
  versions: string;
}

/** Kafka Connect and the connectors, from Maven Central, with the Java that runs them. Throws ConnectUnavailable. */
export async function findConnect(
  plugins: readonly ConnectPlugin[],
  onProgress: (sentence: string) => void = () => undefined,
): Promise<ConnectJars> {
  const java = findProgram("java");
  if (java === null) throw new ConnectUnavailable("there is no java on this machine");
  const version = await readJavaVersion(java);
  if (version < OLDEST_JAVA_OF_KAFKA_4)
    throw new ConnectUnavailable(`Java ${version} is too old for it: it needs ${OLDEST_JAVA_OF_KAFKA_4}`);
  try {
    const connect = await mavenJars(CONNECT, onProgress);
    const found: ConnectJars["plugins"] = [];
    for (const name of plugins) found.push({ name, folder: await mavenJars(PLUGINS[name], onProgress) });
    const versions = plugins.map((name) => `${PLUGINS[name].title} ${PLUGINS[name].version}`);
    return { java, connect, plugins: found, versions: [`Kafka Connect ${CONNECT.version}`, ...versions].join(", ") };
  } catch (error) {
    throw error instanceof JarsUnavailable ? new ConnectUnavailable(error.message) : error;
  }
}
