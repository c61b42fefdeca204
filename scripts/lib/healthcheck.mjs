import { listenAddress } from "./listen-address.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const PATIENCE_MS = 4_000;
const USAGE = "healthcheck takes console, worker or a URL.";

/**
 * `outbox-console healthcheck [console|worker|<url>]`: asks whether the process answers. Without an argument it asks
 * the worker if WORKER_PORT is set, otherwise the console. Prints one sentence.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<number>} 0 if it is healthy, otherwise 1
 */
export async function healthcheck([target, ...rest], env = process.env) {
  if (rest.length > 0) throw new Sentence(USAGE);
  const url = addressOf(target ?? (env.WORKER_PORT ? "worker" : "console"), env);
  const problem = await problemOf(url);
  const line = problem === null ? `${url} is healthy.` : `${url} is not healthy: ${problem}.`;
  process[problem === null ? "stdout" : "stderr"].write(`${line}\n`);
  return problem === null ? 0 : 1;
}

/**
 * @param {string} target
 * @param {Record<string, string | undefined>} env
 */
function addressOf(target, env) {
  if (/^https?:\/\//.test(target) && URL.canParse(target)) return target;
  if (target === "console") return `${listenAddress(env).url}/api/health/live`;
  if (target !== "worker") throw new Sentence(USAGE);
  if (!env.WORKER_PORT) throw new Sentence("The worker answers only where WORKER_PORT is set: set it to a free port.");
  return `${listenAddress({ HOST: env.WORKER_HOST, PORT: env.WORKER_PORT }).url}/livez`;
}

/** @param {string} url */
async function problemOf(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    if (error?.name === "TimeoutError") return `no answer within ${PATIENCE_MS / 1000} s`;
    return `nothing answers (${error?.cause?.code ?? error?.message})`;
  }
}
