import { createHash } from "node:crypto";
import { tokenScopeSchema } from "#contracts/access/tokens.ts";
import type { TokenRow } from "#db/records/tokens.ts";
import { AppError } from "#domain/errors.ts";
import { type Actor, actorWith, type Grants, type Role } from "#domain/operator.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

/** A secret as `makeToken` prints it: a mark that scanners of leaked secrets can look for, and 256 random bits. */
export const TOKEN_FORM = /^oct_[\w-]{43}$/;
/** How long an answer of the database is reused: a scraper or script asks many times in a row. */
const FRESH_MS = 2_000;

interface Known {
  row: TokenRow;
  freshUntil: number;
}
/** Valid tokens by their hash. Guesses are not kept. */
const knownOf = perRuntime(() => new Map<string, Known>());

/** A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * The actor of a token. While the console's database is silent, a token that was valid in this process stays valid until it
 * expires. Throws: unauthenticated (unknown, revoked or expired), unavailable.
 */
export async function tokenHolder(runtime: Runtime, secret: string, from: string): Promise<Actor> {
  const row = TOKEN_FORM.test(secret) ? await readToken(runtime, hashToken(secret), from) : null;
  if (!row || Date.parse(row.expiresAt) <= Date.now())
    throw new AppError("unauthenticated", "This API token is unknown, revoked or expired.");
  return actorOfToken(row);
}

/** Takes effect at once in this process, and within 2 s in others. */
export function forgetTokens(runtime: Runtime): void {
  knownOf(runtime).clear();
}

async function readToken(runtime: Runtime, hash: string, from: string): Promise<TokenRow | null> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine) return null;
  const memory = knownOf(runtime);
  const known = memory.get(hash);
  if (known && performance.now() < known.freshUntil) return known.row;
  try {
    const row = await consoleLine.ask(() => records.useToken({ hash, from }));
    if (row) memory.set(hash, { row, freshUntil: performance.now() + FRESH_MS });
    else memory.delete(hash);
    return row;
  } catch (error) {
    if (known) return known.row;
    throw error;
  }
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
