import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";
import { actorNameSchema } from "#contracts/access/session.ts";
import { AppError } from "#domain/errors.ts";
import { type Actor, actorWith } from "#domain/operator.ts";
import { claimAt, decideRoles, type RoleDecision } from "#domain/role-rules.ts";
import type { OidcConfig } from "../config/auth-schema.ts";
import { processState } from "../process-state.ts";
import { oidcProblem } from "./oidc-problem.ts";

/** How long a person may take at the provider, s. */
export const ATTEMPT_SECONDS = 600;
const TIMEOUT_SECONDS = 10;
const MOST_USED = 10_000;
const STALE = "This sign-in was used already, or took longer than 10 minutes: start again.";

/** State of a sign-in attempt, sealed in a cookie that the browser returns. */
export const attemptSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), next: z.string() });
export type Attempt = z.infer<typeof attemptSchema>;

/** The claims that the provider sent of a person, and what the console concluded from them. */
export interface Received {
  /** Names of all claims; values are shown only of the one that decides. */
  claims: readonly string[];
  name: string;
  rolesClaim: string;
  decision: RoleDecision;
}

export type OidcOutcome =
  | { actor: Actor; received: Received }
  /** `received`: null if the answer was not even valid. */
  | { problem: string; received: Received | null };

const configurations = () => processState("oidc", () => new Map<string, Promise<Configuration>>());
/** States of completed attempts, so that none is used twice. */
const used = () => processState("oidc-used", () => new Map<string, number>());

/** The URL to redirect to, and the contents of the cookie until the browser returns. Throws: unavailable. */
export async function beginOidc(auth: OidcConfig, next: string): Promise<{ to: string; attempt: Attempt }> {
  const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), next };
  const to = buildAuthorizationUrl(await configurationOf(auth), {
    redirect_uri: callbackOf(auth),
    scope: auth.scope,
    response_type: "code",
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  });
  return { to: to.href, attempt };
}

/** Judges the provider's answer. `search`: query of the callback's URL. Never throws for an error of the provider. */
export async function finishOidc(auth: OidcConfig, attempt: Attempt | null, search: string): Promise<OidcOutcome> {
  const current = new URL(callbackOf(auth));
  current.search = search;
  if (!attempt || current.searchParams.get("state") !== attempt.state || !isFirstReturn(attempt.state))
    return { problem: STALE, received: null };
  try {
    return judge(auth, await readClaims(auth, attempt, current));
  } catch (error) {
    return { problem: oidcProblem(error, auth.issuer), received: null };
  }
}

/** Where signing out ends the provider's session too; null if the provider has no such page or does not answer. */
export async function endOidc(auth: OidcConfig): Promise<string | null> {
  const configuration = await configurationOf(auth).catch(() => null);
  if (!configuration?.serverMetadata().end_session_endpoint) return null;
  return buildEndSessionUrl(configuration, { post_logout_redirect_uri: new URL("sign-in", base(auth)).href }).href;
}

/** Claims of the ID token, with those of the user info if the token has none for roles. */
async function readClaims(auth: OidcConfig, attempt: Attempt, current: URL): Promise<Record<string, unknown>> {
  const configuration = await configurationOf(auth);
  const tokens = await authorizationCodeGrant(configuration, current, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  });
  const claims: Record<string, unknown> = { ...tokens.claims() };
  const missing = claimAt(claims, auth.rolesClaim) === undefined || claimAt(claims, auth.nameClaim) === undefined;
  if (!missing || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const info = await fetchUserInfo(configuration, tokens.access_token, String(claims.sub));
  return { ...info, ...claims };
}

function judge(auth: OidcConfig, claims: Record<string, unknown>): OidcOutcome {
  const named = actorNameSchema.safeParse(claimAt(claims, auth.nameClaim));
  const decision = decideRoles(
    claimAt(claims, auth.rolesClaim),
    auth.roles,
    auth.default === "none" ? null : auth.default,
  );
  const name = named.success ? named.data : "";
  const received = { claims: Object.keys(claims).sort(), name, rolesClaim: auth.rolesClaim, decision };
  if (!named.success)
    return { problem: `You have no name here: the claim “${auth.nameClaim}” is missing or not a string.`, received };
  if (!decision.grants) return { problem: `${name} has no role in this console.`, received };
  return { actor: actorWith(name, decision.grants), received };
}

/** False for a state that was used before. */
function isFirstReturn(state: string): boolean {
  const states = used();
  const now = Date.now();
  for (const [old, at] of states) if (now - at > ATTEMPT_SECONDS * 1000 || states.size > MOST_USED) states.delete(old);
  if (states.has(state)) return false;
  states.set(state, now);
  return true;
}

/** The provider's settings, read once and again after a failure. Throws: unavailable. */
async function configurationOf(auth: OidcConfig): Promise<Configuration> {
  const key = JSON.stringify([auth.issuer, auth.clientId, auth.clientSecret, auth.clockSkew]);
  const known = configurations().get(key);
  if (known) return known;
  const read = discovery(
    new URL(auth.issuer),
    auth.clientId,
    { [clockTolerance]: auth.clockSkew / 1000, ...(auth.clientSecret ? { client_secret: auth.clientSecret } : {}) },
    auth.clientSecret ? undefined : None(),
    {
      timeout: TIMEOUT_SECONDS,
      execute: [enableNonRepudiationChecks, ...(auth.issuer.startsWith("http:") ? [allowInsecureRequests] : [])],
    },
  );
  configurations().set(key, read);
  try {
    return await read;
  } catch (error) {
    configurations().delete(key);
    throw new AppError("unavailable", `The identity provider ${new URL(auth.issuer).host} does not answer.`, {
      cause: error,
    });
  }
}

function base({ url }: OidcConfig): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function callbackOf(auth: OidcConfig): string {
  return new URL("api/v1/session/oidc/callback", base(auth)).href;
}
