import type { z } from "zod";
import {
  type Session,
  type SessionList,
  type SignInRequest,
  sessionListSchema,
  sessionSchema,
  signedOutSchema,
} from "#contracts/access/session.ts";
import {
  type MadeToken,
  madeTokenSchema,
  type NewToken,
  type TokenList,
  tokenListSchema,
} from "#contracts/access/tokens.ts";
import { apiPost, whileSigningOut } from "./api-client.ts";

export function signIn(request: SignInRequest): Promise<Session> {
  return apiPost(sessionSchema, "/api/v1/session", request);
}

export function signOut(): Promise<z.infer<typeof signedOutSchema>> {
  return whileSigningOut(() => apiPost(signedOutSchema, "/api/v1/session/sign-out"));
}

export function makeToken(token: NewToken): Promise<MadeToken> {
  return apiPost(madeTokenSchema, "/api/v1/tokens", token);
}

/** Returns the tokens as they are then. */
export function revokeToken(id: string): Promise<TokenList> {
  return apiPost(tokenListSchema, `/api/v1/tokens/${encodeURIComponent(id)}/revoke`);
}

/** Ends a session; returns those that remain. */
export function endSession(id: string): Promise<SessionList> {
  return apiPost(sessionListSchema, `/api/v1/sessions/${encodeURIComponent(id)}/end`);
}
