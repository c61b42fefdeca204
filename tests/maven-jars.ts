import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./brokers/find-program.ts";

/** Jars are not in the cache and cannot be downloaded; the message has the reason. */
export class JarsUnavailable extends Error {
  override readonly name = "JarsUnavailable";
}

export interface Jars {
  /** Name for progress and errors, e.g. `Kafka`. */
  title: string;
  /** Name in the cache, e.g. `kafka`. */
  name: string;
  groupId: string;
  artifactId: string;
  version: string;
}

const DOWNLOAD_WITHIN_MS = 180_000;
const OFFLINE =
  /Unknown host|Connection refused|connect timed out|Could not transfer|No route to host|Temporary failure/i;

/**
 * Folder with the jars of an artifact and its dependencies, downloaded once from Maven Central and cached for the user.
 * Throws JarsUnavailable.
 */
export async function mavenJars(jars: Jars, onProgress: (sentence: string) => void): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "outbox-console");
  const folder = join(cache, `${jars.name}-${jars.version}`);
  if (existsSync(folder)) return folder;
  const maven = findProgram("mvn");
  if (maven === null) throw new JarsUnavailable("its jars are not in the cache, and there is no mvn to download them");
  onProgress(`Downloading ${jars.title} ${jars.version} from Maven Central, once ...`);
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, "download-"));
  try {
    await download(maven, jars, scratch);
    await keep(join(scratch, "jars"), folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return folder;
}

async function download(maven: string, jars: Jars, scratch: string): Promise<void> {
  const pom = join(scratch, "pom.xml");
  await writeFile(pom, projectFile(jars));
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
  throw new JarsUnavailable(`its jars could not be downloaded: ${why}`);
}

/** The first run to finish wins: another run may have downloaded the same meanwhile. */
async function keep(downloaded: string, folder: string): Promise<void> {
  try {
    await rename(downloaded, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function projectFile({ name, groupId, artifactId, version }: Jars): string {
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>outbox-console</groupId>
  <artifactId>${name}-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>${groupId}</groupId>
      <artifactId>${artifactId}</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;
}
