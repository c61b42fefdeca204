import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { type Actor, actorWith, type Grants, ROLES, type Role } from "#domain/operator.ts";
import type { Config } from "../config/config-schema.ts";
import { processState } from "../process-state.ts";
import { BoundedSemaphore } from "./bounded-semaphore.ts";
import { GuessLimits } from "./guess-limits.ts";
import { PacedLane } from "./paced-lane.ts";
import { NOBODYS_HASH, verifyPassword } from "./password.ts";

/** Concurrent verifications: scrypt uses Node's thread pool (4 threads), which file access and DNS need too. */
const VERIFICATIONS = { concurrency: 2, maxWaiting: 100 };
/** Over the limit guesses are still verified, one per second in total, so a right password still gets in. */
const OVER_LIMIT = { intervalMs: 1000, maxWaiting: 8 };
/** Answers cached, so that a poller costs one verification instead of one per poll. */
const MAX_REMEMBERED = 1000;

interface Verifications {
  /**
   * Keyed by digest of the password, all hashes and the name if it is, or resembles, that of a named user; null is a
   * wrong password.
   */
  answers: Map<string, Grants | null>;
  inFlight: Map<string, Promise<Grants | null>>;
  limits: GuessLimits;
  lane: BoundedSemaphore;
  overLimit: PacedLane;
}

const state = (): Verifications =>
  processState("verifications", () => ({
    answers: new Map(),
    inFlight: new Map(),
    limits: new GuessLimits(),
    lane: new BoundedSemaphore(VERIFICATIONS),
    overLimit: new PacedLane(OVER_LIMIT),
  }));

export interface Credentials {
  name: string;
  password: string;
  /** Client address; wrong passwords are counted by it, and by it and the name. */
  source: string;
}

/**
 * Authenticates. A named user has their own password; for any other name the password decides the role. A right
 * password is never counted, and a cached one is accepted at once under any load. Throws: unauthenticated,
 * too_many_requests.
 */
export async function signIn(config: Config, input: Credentials): Promise<Actor> {
  if (config.auth.mode !== "password") return localActor();
  const digest = digestOf(config, input);
  const grants = state().answers.get(digest) ?? (await guess(config, input, digest));
  if (grants) return actorWith(input.name, grants);
  throw new AppError("unauthenticated", "This password is not valid here.");
}

/** Throws: too_many_requests. */
async function guess(config: Config, input: Credentials, digest: string): Promise<Grants | null> {
  const { answers, limits, overLimit } = state();
  const refund = limits.take(input.source, input.name);
  const known = answers.get(digest);
  if (!refund) {
    const turn = () => overLimit.enter(JSON.stringify([input.source, input.name]));
    const role = known === undefined ? await verifyOnce({ config, input, digest, turn }) : known;
    if (role) return role;
    throw tooMany();
  }
  const role = known === undefined ? await verifyOnce({ config, input, digest }).catch(refunding(refund)) : known;
  if (role) refund();
  return role;
}

interface Verification {
  config: Config;
  input: Credentials;
  digest: string;
  /** Over the limit: awaited first; false means that no turn is available. */
  turn?: () => Promise<boolean>;
}

/** Concurrent requests with the same password share one verification. Throws: too_many_requests. */
function verifyOnce(input: Verification): Promise<Grants | null> {
  const { inFlight } = state();
  const running = inFlight.get(input.digest);
  if (running) return running;
  const verification = verify(input).finally(() => inFlight.delete(input.digest));
  inFlight.set(input.digest, verification);
  return verification;
}

async function verify({ config, input, digest, turn }: Verification): Promise<Grants | null> {
  const { answers, lane } = state();
  if (turn && !(await turn())) throw tooMany();
  const role = await lane.run(() => findGrants(config, input));
  if (role === undefined) throw tooMany();
  if (answers.size >= MAX_REMEMBERED) forgetOldestWrong(answers);
  answers.set(digest, role);
  return role;
}

/**
 * Most powerful role first: if two roles share a password, the mistake becomes visible. A wrong password takes as long
 * for every name, so that time does not tell which names are users'.
 */
async function findGrants(config: Config, { name, password }: Credentials): Promise<Grants | null> {
  const choices = grantsBehind(config, name);
  for (const { hash, grants } of choices) if (await verifyPassword(password, hash)) return grants;
  const most = Math.max(1, rolesWithPasswords(config).length);
  for (let tried = choices.length; tried < most; tried += 1) await verifyPassword(password, NOBODYS_HASH);
  return null;
}

/** What the right password gives this name. None for a name that the audit would show like another person's. */
function grantsBehind(config: Config, name: string): { hash: string; grants: Grants }[] {
  const user = userOf(config, name);
  if (user) return [{ hash: user.hash, grants: { everywhere: user.role ?? null, outboxes: user.outboxes } }];
  if (resemblesUser(config, name)) return [];
  return rolesWithPasswords(config).map(({ role, hash }) => ({ hash, grants: { everywhere: role, outboxes: {} } }));
}

function rolesWithPasswords(config: Config): { role: Role; hash: string }[] {
  return [...ROLES].reverse().flatMap((role) => {
    const hash = hashOf(config, role);
    return hash ? [{ role, hash }] : [];
  });
}

/** True for the name of a user, also in another case, width or normal form. */
function resemblesUser({ auth }: Config, name: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase();
  return auth.mode === "password" && Object.keys(auth.users).some((known) => plain(known) === plain(name));
}

function userOf({ auth }: Config, name: string) {
  return auth.mode === "password" && Object.hasOwn(auth.users, name) ? auth.users[name] : undefined;
}

/** Evicts a wrong password first: few are right, and a flood of wrong ones must not evict them. */
function forgetOldestWrong(answers: Map<string, Grants | null>): void {
  for (const [digest, grants] of answers) {
    if (grants !== null) continue;
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

function digestOf(config: Config, { name, password }: Credentials): string {
  return createHash("sha256")
    .update(JSON.stringify([password, config.auth, resemblesUser(config, name) ? name : null]))
    .digest("base64");
}

function tooMany(): AppError {
  return new AppError("too_many_requests", "Too many wrong passwords from this address: wait a minute.");
}

/** Without authentication the console listens on loopback only, and anyone who reaches it is admin. */
export function localActor(): Actor {
  return { name: "local operator", role: "admin" };
}

/** Secret that seals session cookies; derived from the configuration's own secrets unless configured. */
export function sessionSecret({ auth }: Config): string {
  if (auth.mode === "none" || auth.mode === "proxy") return "no sessions without a sign-in here, so this signs nothing";
  if (auth.sessionSecret) return auth.sessionSecret;
  const own =
    auth.mode === "oidc"
      ? [auth.issuer, auth.clientId, auth.clientSecret]
      : Object.keys(auth.users).length > 0
        ? [auth.passwords, auth.users]
        : auth.passwords;
  return createHash("sha256")
    .update(`outbox-console session ${JSON.stringify(own)}`)
    .digest("base64url");
}

/**
 * Value to which a session is bound: it changes, and ends the session, with a new password for its role or user, and
 * with other rules by which a provider's groups become roles.
 */
export function sessionMark(config: Config, { name, role }: Pick<Actor, "name" | "role">): string {
  const { auth } = config;
  if (auth.mode === "oidc") {
    const { issuer, clientId, nameClaim, rolesClaim, roles, default: fallback } = auth;
    return markOf("rules", JSON.stringify([issuer, clientId, nameClaim, rolesClaim, roles, fallback]));
  }
  const user = userOf(config, name);
  return user ? markOf(`user ${name}`, JSON.stringify(user)) : passwordMark(config, role);
}

/** The mark of sessions that the password of a role opened. */
export function passwordMark(config: Config, role: Role): string {
  return markOf(`role ${role}`, hashOf(config, role) ?? "");
}

function markOf(what: string, text: string): string {
  return createHash("sha256").update(`outbox-console ${what} ${text}`).digest("base64url");
}

function hashOf(config: Config, role: Role): string | undefined {
  return config.auth.mode === "password" ? config.auth.passwords[role] : undefined;
}
