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

/** Shortest time between two reads for a token that is not among those read: guesses cost four statements a second in all. */
const MISSED_MS = 250;
/** Time between two records of the use of a token, in this process. */
const USED_MS = 60_000;

/** Valid tokens by their hash, as last read. */
interface Held {
  tokens: ReadonlyMap<string, TokenRow>;
  readAtMs: number;
  /** Null also after a change: what was being read then is from before it. */
  reading: Promise<void> | null;
  usedAtMs: Map<string, number>;
}
const heldOf = perRuntime((): Held => ({ tokens: new Map(), readAtMs: -Infinity, reading: null, usedAtMs: new Map() }));

/** A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * The actor of a token. While the console's database is silent, a token that was valid in this process stays valid until it
 * expires. Throws: unauthenticated (unknown, revoked or expired), unavailable.
 */
export async function tokenHolder(runtime: Runtime, secret: string, from: string): Promise<Actor> {
  const row = TOKEN_FORM.test(secret) ? await findToken(runtime, hashToken(secret), from) : null;
  if (!row || Date.parse(row.expiresAt) <= Date.now())
    throw new AppError("unauthenticated", "This API token is unknown, revoked or expired.");
  return actorOfToken(row);
}

/** The next request reads the tokens again. Other processes do within 2 s. */
export function forgetTokens(runtime: Runtime): void {
  Object.assign(heldOf(runtime), { tokens: new Map(), readAtMs: -Infinity, reading: null });
}

async function findToken(runtime: Runtime, hash: string, from: string): Promise<TokenRow | null> {
  const held = heldOf(runtime);
  const known = held.tokens.get(hash);
  const ageMs = performance.now() - held.readAtMs;
  if (ageMs > (known ? FRESH_MS : MISSED_MS))
    await readTokens(runtime).catch((error: unknown) => {
      if (!known) throw error;
    });
  const row = held.tokens.get(hash);
  if (!row) return null;
  await noteUse(runtime, row, from);
  return row;
}

/** Reads the valid tokens; concurrent requests share one read. */
function readTokens(runtime: Runtime): Promise<void> {
  const { records, consoleLine } = runtime;
  const held = heldOf(runtime);
  if (!records || !consoleLine) return Promise.resolve();
  if (held.reading) return held.reading;
  const reading = consoleLine
    .ask(() => records.validTokens())
    .then(
      (tokens) => {
        if (held.reading === reading) Object.assign(held, { tokens, readAtMs: performance.now(), reading: null });
      },
      (error: unknown) => {
        if (held.reading === reading) held.reading = null;
        throw error;
      },
    );
  held.reading = reading;
  return reading;
}

/** Once a minute. A use that cannot be recorded is no reason to refuse it. */
async function noteUse(runtime: Runtime, { id }: TokenRow, from: string): Promise<void> {
  const { records, consoleLine } = runtime;
  const { usedAtMs } = heldOf(runtime);
  if (!records || !consoleLine || performance.now() - (usedAtMs.get(id) ?? -Infinity) < USED_MS) return;
  usedAtMs.set(id, performance.now());
  await consoleLine.ask(() => records.noteTokenUse({ id, from })).catch(() => undefined);
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
