import { createHash } from "node:crypto";
import { tokenScopeSchema } from "#contracts/access/tokens.ts";
import type { TokenRow } from "#db/records/tokens.ts";
import { AppError } from "#domain/errors.ts";
import { type Actor, actorWith, type Grants, type Role } from "#domain/operator.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

/** A secret as `makeToken` prints it: a mark that scanners of leaked secrets can look for, and 256 random bits. */
export const TOKEN_FORM = /^oct_[\w-]{43}$/;
/** How long valid tokens are taken as read: a scraper or script asks many times in a row. */
const FRESH_MS = 2_000;

/**
 * Shortest time between two reads for a token that is not among those read: guesses cost four statements a second in
 * all.
 */
const MISSED_MS = 250;
/** Time between two records of the use of a token, in this process. */
const USED_MS = 60_000;

type Tokens = ReadonlyMap<string, TokenRow>;

/** Valid tokens by their hash, as last read. */
interface Held {
  tokens: Tokens;
  readAtMs: number;
  /** Raised by each change of the tokens in this process: a read that began before is read again. */
  version: number;
  reading: Promise<Tokens> | null;
  /** Of the last read, until one succeeds. */
  failure: { error: unknown; atMs: number } | null;
  usedAtMs: Map<string, number>;
}
const heldOf = perRuntime(
  (): Held => ({
    tokens: new Map(),
    readAtMs: -Infinity,
    version: 0,
    reading: null,
    failure: null,
    usedAtMs: new Map(),
  }),
);

/** A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * The actor of a token. While the console's database is silent, a token that was valid in this process stays valid
 * until it expires. Throws: unauthenticated (unknown, revoked or expired), unavailable.
 */
export async function tokenHolder(runtime: Runtime, secret: string, from: string): Promise<Actor> {
  const row = TOKEN_FORM.test(secret) ? await findToken(runtime, hashToken(secret), from) : null;
  if (!row || Date.parse(row.expiresAt) <= Date.now())
    throw new AppError("unauthenticated", "This API token is unknown, revoked or expired.");
  return actorOfToken(row);
}

/** The next request reads the tokens again. Other processes do within 2 s. */
export function forgetTokens(runtime: Runtime): void {
  const held = heldOf(runtime);
  Object.assign(held, { tokens: new Map(), readAtMs: -Infinity, version: held.version + 1, reading: null });
}

async function findToken(runtime: Runtime, hash: string, from: string): Promise<TokenRow | null> {
  const held = heldOf(runtime);
  const isFresh = performance.now() - held.readAtMs <= (held.tokens.has(hash) ? FRESH_MS : MISSED_MS);
  const tokens = isFresh ? held.tokens : await readTokens(runtime).catch(whereKnown(held, hash));
  const row = tokens.get(hash);
  if (!row) return null;
  await noteUse(runtime, row, from);
  return row;
}

/** While the database is silent, a token that was valid and has not been revoked in this process stays valid. */
function whereKnown(held: Held, hash: string) {
  return (error: unknown): Tokens => {
    if (held.tokens.has(hash)) return held.tokens;
    throw error;
  };
}

/** The valid tokens. Concurrent requests share one read, and a failure counts for a moment. */
async function readTokens(runtime: Runtime): Promise<Tokens> {
  const held = heldOf(runtime);
  if (held.failure && performance.now() - held.failure.atMs < MISSED_MS) throw held.failure.error;
  const { version } = held;
  held.reading ??= readOnce(runtime, held).finally(() => {
    if (held.version === version) held.reading = null;
  });
  const tokens = await held.reading;
  return held.version === version ? tokens : readTokens(runtime);
}

async function readOnce({ records, consoleGuard }: Runtime, held: Held): Promise<Tokens> {
  if (!records || !consoleGuard) return new Map();
  const { version } = held;
  try {
    const tokens = await consoleGuard.ask(() => records.validTokens());
    if (held.version === version) Object.assign(held, { tokens, readAtMs: performance.now(), failure: null });
    return tokens;
  } catch (error) {
    held.failure = { error, atMs: performance.now() };
    throw error;
  }
}

/** Once a minute. A use that cannot be recorded is no reason to refuse it. */
async function noteUse(runtime: Runtime, { id }: TokenRow, from: string): Promise<void> {
  const { records, consoleGuard } = runtime;
  const { usedAtMs } = heldOf(runtime);
  if (!records || !consoleGuard || performance.now() - (usedAtMs.get(id) ?? -Infinity) < USED_MS) return;
  usedAtMs.set(id, performance.now());
  await consoleGuard.ask(() => records.noteTokenUse({ id, from })).catch(() => undefined);
}

function actorOfToken({ name, scope: word, outboxes }: TokenRow): Actor {
  const scope = tokenScopeSchema.parse(word);
  const role: Role = scope === "act" ? "operator" : "viewer";
  const own = Object.fromEntries((outboxes ?? []).map((outbox) => [outbox, role]));
  const grants: Grants = { everywhere: outboxes === null ? role : null, outboxes: own };
  return {
    ...actorWith(`token ${name}`, grants),
    token: scope,
    ...(scope === "metrics" ? { metricsOnly: true as const } : {}),
  };
}
