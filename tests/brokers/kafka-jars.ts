import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { BrokerUnavailable } from "./broker.ts";
import { findProgram } from "./find-program.ts";

const DOWNLOAD_WITHIN_MS = 180_000;
const OFFLINE =
  /Unknown host|Connection refused|connect timed out|Could not transfer|No route to host|Temporary failure/i;

/**
 * Folder with the jars of that Kafka version and its dependencies, downloaded once from Maven Central and cached for
 * the user.
 * @throws BrokerUnavailable when they are missing and cannot be downloaded
 */
export async function kafkaJars(version: string, onProgress: (sentence: string) => void): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "outbox-console");
  const jars = join(cache, `kafka-${version}`);
  if (existsSync(jars)) return jars;
  const maven = findProgram("mvn");
  if (maven === null)
    throw new BrokerUnavailable("its jars are not in the cache, and there is no mvn to download them");
  onProgress(`Downloading Kafka ${version} from Maven Central, once ...`);
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, "download-"));
  try {
    await download(maven, version, scratch);
    await keep(join(scratch, "jars"), jars);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return jars;
}

async function download(maven: string, version: string, scratch: string): Promise<void> {
  const pom = join(scratch, "pom.xml");
  await writeFile(pom, projectFile(version));
  const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${join(scratch, "jars")}`];
  const child = spawn(maven, ["--batch-mode", "--quiet", "--strict-checksums", "--file", pom, ...goal], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DOWNLOAD_WITHIN_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (code === 0) return;
  const error = /ERROR\]?\S*\s+(.{1,300})/.exec(output)?.[1] ?? "mvn was slow or said nothing";
  const why = OFFLINE.test(output) ? "Maven Central cannot be reached" : error;
  throw new BrokerUnavailable(`its jars could not be downloaded: ${why}`);
}

/** The first run to finish wins: another run may have downloaded the same meanwhile. */
async function keep(downloaded: string, jars: string): Promise<void> {
  try {
    await rename(downloaded, jars);
  } catch (error) {
    if (!existsSync(jars)) throw error;
  }
}

function projectFile(version: string): string {
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>outbox-console</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;
}
