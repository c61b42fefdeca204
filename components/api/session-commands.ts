import { z } from "zod";
import { type Session, type SignInRequest, sessionSchema } from "#contracts/session.ts";
import { apiPost } from "./api-client.ts";

export function signIn(request: SignInRequest): Promise<Session> {
  return apiPost(sessionSchema, "/api/v1/session", request);
}

export function signOut(): Promise<unknown> {
  return apiPost(z.unknown(), "/api/v1/session/sign-out");
}
