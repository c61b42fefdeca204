import { randomBytes, randomUUID } from "node:crypto";
import {
  type ApiToken,
  type MadeToken,
  type NewToken,
  type TokenList,
  tokenScopeSchema,
} from "#contracts/access/tokens.ts";
import type { Records } from "#db/records/records.ts";
import type { TokenRow } from "#db/records/tokens.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { isLowerUuid } from "#domain/uuid.ts";
import { askRecords, missingRecords } from "../ask-records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { requireKnown } from "../outboxes/require-known.ts";
import type { Runtime } from "../runtime.ts";
import { forgetTokens, hashToken } from "./token-holder.ts";

const LISTED = 200;
/** Valid tokens at once. */
const MOST_TOKENS = 100;
const MISSING = missingRecords("API tokens");

/** Newest first, without their secrets. Throws: forbidden, unavailable. */
export async function listTokens({ ctx }: { ctx: ServiceContext }): Promise<TokenList> {
  requireRole(ctx, "admin");
  const { records, consoleGuard } = ctx.runtime;
  const asOf = new Date().toISOString();
  if (!records || !consoleGuard) return { tokens: [], problem: MISSING.noDatabase, asOf };
  try {
    const rows = await consoleGuard.ask(() => records.tokens(LISTED));
    return { tokens: rows.map(toToken), problem: null, asOf };
  } catch (error) {
    if (troubleOf(error) === "missing") return { tokens: [], problem: MISSING.notMigrated, asOf };
    throw error;
  }
}

/**
 * Makes a token, with an audit row. The answer is the only one with its secret. Throws: forbidden, not_found (no such
 * outbox), wrong_state (no database for it, too many), unavailable.
 */
export async function makeToken({ ctx, token }: { ctx: ServiceContext; token: NewToken }): Promise<MadeToken> {
  requireRole(ctx, "admin");
  const { name, scope, outboxes, days } = token;
  for (const outbox of outboxes ?? []) requireKnown(ctx.runtime, outbox);
  const secret = `oct_${randomBytes(32).toString("base64url")}`;
  const row = { id: randomUUID(), name, scope, outboxes, days, hash: hashToken(secret), createdBy: ctx.actor.name };
  const reach = outboxes === null ? "every outbox" : outboxes.join(", ");
  const detail = `${name}: ${scope}, ${reach}, ${days} days`;
  const made = await ask(ctx.runtime, (records) =>
    records.addToken(row, MOST_TOKENS, consoleEntry(ctx.actor, "token.make", { detail })),
  );
  if (!made) throw new AppError("wrong_state", `There are ${MOST_TOKENS} valid API tokens: revoke one first.`);
  forgetTokens(ctx.runtime);
  return { ...(await listTokens({ ctx })), secret };
}

/** Ends a token at once, with an audit row. Throws: forbidden, not_found, wrong_state (no database), unavailable. */
export async function revokeToken({ ctx, id }: { ctx: ServiceContext; id: string }): Promise<TokenList> {
  requireRole(ctx, "admin");
  const by = ctx.actor.name;
  const revoked =
    isLowerUuid(id) &&
    (await ask(ctx.runtime, (records) =>
      records.revokeToken({ id, by }, consoleEntry(ctx.actor, "token.revoke", { detail: "" })),
    ));
  if (!revoked) throw new AppError("not_found", "There is no valid API token with this id.");
  forgetTokens(ctx.runtime);
  return listTokens({ ctx });
}

const ask = <Answer>(runtime: Runtime, work: (records: Records) => Promise<Answer>) =>
  askRecords(runtime, MISSING, work);

function toToken({ revokedAt, revokedBy, scope, ...row }: TokenRow): ApiToken {
  const revoked = revokedAt === null ? null : { at: revokedAt, by: revokedBy ?? "" };
  return { ...row, scope: tokenScopeSchema.parse(scope), revoked };
}
