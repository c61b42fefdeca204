import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../brokers/find-program.ts";
import { JarsUnavailable, mavenJars } from "../maven-jars.ts";
import { type DynamodbServer, DynamodbUnavailable, runDynamodbProgram } from "./run-dynamodb.ts";

const run = promisify(execFile);

const JARS = {
  title: "DynamoDB Local",
  name: "dynamodb-local",
  groupId: "com.amazonaws",
  artifactId: "DynamoDBLocal",
  version: "2.6.1",
};
const SOURCE = join(import.meta.dirname, "LoopbackDynamodb.java");
/** Runs for seconds: optimising compilation costs more than it gains. */
const JAVA_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx300m", "-Djava.awt.headless=true"];

interface DynamodbLocal {
  java: string;
  jars: string;
}

/**
 * Amazon's DynamoDB Local from Maven Central, with a Java that compiles its loopback start. Throws DynamodbUnavailable.
 */
export async function findDynamodbLocal(
  onProgress: (sentence: string) => void = () => undefined,
): Promise<DynamodbLocal> {
  const java = findProgram("java", process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, "bin")] : []);
  if (java === null) throw new DynamodbUnavailable("there is no java on this machine");
  const { stdout } = await run(java, ["--list-modules"]).catch(() => ({ stdout: "" }));
  if (!stdout.includes("jdk.compiler@"))
    throw new DynamodbUnavailable("the java on this machine has no compiler: it needs a JDK of version 17 or later");
  const jars = await mavenJars(JARS, onProgress).catch((error: unknown) => {
    throw error instanceof JarsUnavailable ? new DynamodbUnavailable(error.message) : error;
  });
  return { java, jars };
}

/** Runs DynamoDB Local in memory on a loopback port. Throws DynamodbUnavailable. */
export async function runDynamodbLocal(): Promise<DynamodbServer> {
  const { java, jars } = await findDynamodbLocal();
  const classes = [`-Djava.library.path=${jars}`, "-cp", join(jars, "*"), SOURCE];
  return runDynamodbProgram({
    command: ({ port }) => ({
      file: java,
      args: [...JAVA_OPTIONS, ...classes, "-port", String(port), "-sharedDb", "-inMemory", "-disableTelemetry"],
    }),
  });
}
