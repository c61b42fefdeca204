import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { type Actor, ROLES } from "#domain/operator.ts";
import type { Config } from "../config/config-schema.ts";
import { verifyPassword } from "./password.ts";

/** Wrong passwords allowed in a minute, over everyone: a person mistypes, a program guesses. */
const FAILURES_A_MINUTE = 10;
let failures: number[] = [];

/** Answers of the last minute, so that a poller with a password does not cost a scrypt a poll. */
const KNOWN_MS = 60_000;
const known = new Map<string, { actor: Actor; until: number }>();

/** Who a name and password are. The password decides the role. Throws: unauthenticated, too_many_requests. */
export async function signIn(config: Config, input: { name: string; password: string }): Promise<Actor> {
  if (config.auth.mode !== "password") return localActor();
  const digest = createHash("sha256")
    .update(JSON.stringify([input.name, input.password, config.auth.passwords]))
    .digest("hex");
  const remembered = known.get(digest);
  if (remembered && remembered.until > performance.now()) return remembered.actor;
  const guess = countGuess();
  // The most powerful role first: two roles with one password are a mistake that should be seen.
  for (const role of [...ROLES].reverse()) {
    const hash = config.auth.passwords[role];
    if (!hash || !(await verifyPassword(input.password, hash))) continue;
    const actor = { name: input.name, role };
    if (known.size > 100) known.clear();
    known.set(digest, { actor, until: performance.now() + KNOWN_MS });
    failures = failures.filter((failure) => failure !== guess);
    return actor;
  }
  throw new AppError("unauthenticated", "That password opens nothing here.");
}

/** Counts before the answer is known, so that a thousand guesses at once are not all let in. Throws: too_many_requests. */
function countGuess(): number {
  const recent = performance.now() - 60_000;
  failures = failures.filter((at) => at > recent);
  if (failures.length >= FAILURES_A_MINUTE)
    throw new AppError("too_many_requests", "Too many wrong passwords: wait a minute.");
  const guess = performance.now();
  failures.push(guess);
  return guess;
}

/** Without authentication the console listens on loopback only, and whoever reaches it may do everything. */
export function localActor(): Actor {
  return { name: "local operator", role: "admin" };
}

/** Signs session cookies; derived from the hashes unless configured, so that a changed password ends its sessions. */
export function sessionSecret(config: Config): string {
  if (config.auth.mode !== "password") return "no sessions without authentication, so this signs nothing";
  if (config.auth.sessionSecret) return config.auth.sessionSecret;
  return createHash("sha256")
    .update(`outbox-console session ${JSON.stringify(config.auth.passwords)}`)
    .digest("base64url");
}
