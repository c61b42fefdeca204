import { z } from "zod";
import {
  type Session,
  type SessionList,
  type SignInRequest,
  sessionListSchema,
  sessionSchema,
} from "#contracts/session.ts";
import { apiPost } from "./api-client.ts";

export function signIn(request: SignInRequest): Promise<Session> {
  return apiPost(sessionSchema, "/api/v1/session", request);
}

export function signOut(): Promise<unknown> {
  return apiPost(z.unknown(), "/api/v1/session/sign-out");
}

/** Ends a session; returns those that remain. */
export function endSession(id: string): Promise<SessionList> {
  return apiPost(sessionListSchema, `/api/v1/sessions/${encodeURIComponent(id)}/end`);
}
