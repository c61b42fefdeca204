import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";

const run = promisify(execFile);

const ANSWER_WITHIN_MS = 5_000;

let asked: Promise<string | null> | null = null;

/** Path of a docker whose engine answers and supports `compose`, or null. A client without an engine does not count. */
export function findDocker(): Promise<string | null> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<string | null> {
  const docker = findProgram("docker");
  if (docker === null) return null;
  try {
    await run(docker, ["version", "--format", "{{.Server.Version}}"], { timeout: ANSWER_WITHIN_MS });
    await run(docker, ["compose", "version"], { timeout: ANSWER_WITHIN_MS });
    return docker;
  } catch {
    return null;
  }
}
