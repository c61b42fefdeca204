import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { type Actor, ROLES, type Role } from "#domain/operator.ts";
import type { Config } from "../config/config-schema.ts";
import { processState } from "../process-state.ts";
import { GuessLimits } from "./guess-limits.ts";
import { BoundedLane, PacedLane } from "./lanes.ts";
import { verifyPassword } from "./password.ts";

/** Concurrent verifications: scrypt uses Node's thread pool (4 threads), which file access and DNS need too. */
const VERIFICATIONS = { concurrency: 2, maxWaiting: 100 };
/** Over the limit guesses are still verified, one per second in total, so a right password still gets in. */
const OVER_LIMIT = { intervalMs: 1000, maxWaiting: 8 };
/** Answers cached, so that a poller costs one verification instead of one per poll. */
const MAX_REMEMBERED = 1000;

interface Verifications {
  /** Keyed by digest of the password and all hashes, since the password alone decides the role; null is a wrong password. */
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
  /** Client address; wrong passwords are counted by it, and by it and the name. */
  source: string;
}

/**
 * Authenticates; the password decides the role. A right password is never counted, and a cached one is accepted at
 * once, whatever the load. Throws: unauthenticated, too_many_requests.
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
  /** Over the limit: awaited first; false means that no turn is available. */
  turn?: () => Promise<boolean>;
}

/** Concurrent requests with the same password share one verification. Throws: too_many_requests. */
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

/** Most powerful role first: if two roles share a password, the mistake becomes visible. */
async function findRole(config: Config, password: string): Promise<Role | null> {
  for (const role of [...ROLES].reverse()) {
    const hash = hashOf(config, role);
    if (hash && (await verifyPassword(password, hash))) return role;
  }
  return null;
}

/** Evicts a wrong password first: at most three are right, and a flood of wrong ones must not evict them. */
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

/** Without authentication the console listens on loopback only, and anyone who reaches it is admin. */
export function localActor(): Actor {
  return { name: "local operator", role: "admin" };
}

/** Secret that seals session cookies; derived from the hashes unless configured. */
export function sessionSecret(config: Config): string {
  if (config.auth.mode !== "password") return "no sessions without authentication, so this signs nothing";
  if (config.auth.sessionSecret) return config.auth.sessionSecret;
  return createHash("sha256")
    .update(`outbox-console session ${JSON.stringify(config.auth.passwords)}`)
    .digest("base64url");
}

/** Value to which sessions of this role are bound: a new password for the role changes it and ends them. */
export function passwordMark(config: Config, role: Role): string {
  return createHash("sha256")
    .update(`outbox-console role ${role} ${hashOf(config, role) ?? ""}`)
    .digest("base64url");
}

function hashOf(config: Config, role: Role): string | undefined {
  return config.auth.mode === "password" ? config.auth.passwords[role] : undefined;
}
