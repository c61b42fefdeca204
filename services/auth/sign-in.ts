import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { type Actor, ROLES, type Role } from "#domain/operator.ts";
import type { Config } from "../config/config-schema.ts";
import { processState } from "../process-state.ts";
import { GuessLimits } from "./guess-limits.ts";
import { BoundedLane, PacedLane } from "./lanes.ts";
import { verifyPassword } from "./password.ts";

/** Verifications at a time: scrypt runs in the thread pool of Node (4 threads), which files and names need too. */
const VERIFICATIONS = { concurrency: 2, maxWaiting: 100 };
/** Over the limit a guess is still verified, one a second over everyone: a right password among the wrong is let in. */
const OVER_LIMIT = { intervalMs: 1000, maxWaiting: 8 };
/** Answers that are remembered, so that a poller costs one verification and not one a poll. */
const MAX_REMEMBERED = 1000;

interface Verifications {
  /** By digest of the password and all hashes: the password alone decides the role; null is a wrong one. */
  answers: Map<string, Role | null>;
  inFlight: Map<string, Promise<Role | null>>;
  limits: GuessLimits;
  lane: BoundedLane;
  overLimit: PacedLane;
}

const state = (): Verifications =>
  processState("verifications", () => ({
    answers: new Map(),
    inFlight: new Map(),
    limits: new GuessLimits(),
    lane: new BoundedLane(VERIFICATIONS),
    overLimit: new PacedLane(OVER_LIMIT),
  }));

export interface Credentials {
  name: string;
  password: string;
  /** Address that the request came from; wrong passwords are counted by it and the name. */
  source: string;
}

/**
 * Who a name and password are. The password decides the role. A right password is never counted, and one that was right
 * before is known at once, whatever goes on besides. Throws: unauthenticated, too_many_requests.
 */
export async function signIn(config: Config, input: Credentials): Promise<Actor> {
  if (config.auth.mode !== "password") return localActor();
  const digest = digestOf(config, input.password);
  const role = state().answers.get(digest) ?? (await guess(config, input, digest));
  if (role) return { name: input.name, role };
  throw new AppError("unauthenticated", "This password is not valid here.");
}

/** Throws: too_many_requests. */
async function guess(config: Config, input: Credentials, digest: string): Promise<Role | null> {
  const { answers, limits, overLimit } = state();
  const refund = limits.take(input.source, input.name);
  const known = answers.get(digest);
  if (!refund) {
    const turn = () => overLimit.enter(JSON.stringify([input.source, input.name]));
    const role = known === undefined ? await verifyOnce({ config, password: input.password, digest, turn }) : known;
    if (role) return role;
    throw tooMany();
  }
  const role =
    known === undefined
      ? await verifyOnce({ config, password: input.password, digest }).catch(refunding(refund))
      : known;
  if (role) refund();
  return role;
}

interface Verification {
  config: Config;
  password: string;
  digest: string;
  /** Waited for first, over the limit; false means that there is no turn to be had. */
  turn?: () => Promise<boolean>;
}

/** Everyone who sends the same password meanwhile waits for the same verification. Throws: too_many_requests. */
function verifyOnce(input: Verification): Promise<Role | null> {
  const { inFlight } = state();
  const running = inFlight.get(input.digest);
  if (running) return running;
  const verification = verify(input).finally(() => inFlight.delete(input.digest));
  inFlight.set(input.digest, verification);
  return verification;
}

async function verify({ config, password, digest, turn }: Verification): Promise<Role | null> {
  const { answers, lane } = state();
  if (turn && !(await turn())) throw tooMany();
  const role = await lane.run(() => findRole(config, password));
  if (role === undefined) throw tooMany();
  if (answers.size >= MAX_REMEMBERED) forgetOldestWrong(answers);
  answers.set(digest, role);
  return role;
}

/** The most powerful role first: two roles with one password are a mistake that should be seen. */
async function findRole(config: Config, password: string): Promise<Role | null> {
  for (const role of [...ROLES].reverse()) {
    const hash = hashOf(config, role);
    if (hash && (await verifyPassword(password, hash))) return role;
  }
  return null;
}

/** At most three passwords are right; a flood of wrong ones must not push them out. */
function forgetOldestWrong(answers: Map<string, Role | null>): void {
  for (const [digest, role] of answers) {
    if (role !== null) continue;
    answers.delete(digest);
    return;
  }
  answers.clear();
}

function refunding(refund: () => void) {
  return (error: unknown): never => {
    refund();
    throw error;
  };
}

function digestOf(config: Config, password: string): string {
  return createHash("sha256")
    .update(JSON.stringify([password, config.auth]))
    .digest("base64");
}

function tooMany(): AppError {
  return new AppError("too_many_requests", "Too many wrong passwords from this address: wait a minute.");
}

/** Without authentication the console listens on loopback only, and whoever reaches it may do everything. */
export function localActor(): Actor {
  return { name: "local operator", role: "admin" };
}

/** Seals session cookies; derived from the hashes unless configured. */
export function sessionSecret(config: Config): string {
  if (config.auth.mode !== "password") return "no sessions without authentication, so this signs nothing";
  if (config.auth.sessionSecret) return config.auth.sessionSecret;
  return createHash("sha256")
    .update(`outbox-console session ${JSON.stringify(config.auth.passwords)}`)
    .digest("base64url");
}

/** What a session of this role is bound to: another password for the role makes another value, and ends its sessions. */
export function passwordMark(config: Config, role: Role): string {
  return createHash("sha256")
    .update(`outbox-console role ${role} ${hashOf(config, role) ?? ""}`)
    .digest("base64url");
}

function hashOf(config: Config, role: Role): string | undefined {
  return config.auth.mode === "password" ? config.auth.passwords[role] : undefined;
}
