import { z } from "zod";
import {
  oidcCallbackQuerySchema,
  oidcStartQuerySchema,
  sessionListSchema,
  sessionSchema,
  signedOutSchema,
  signInRequestSchema,
} from "../access/session.ts";
import { madeTokenSchema, newTokenSchema, tokenListSchema } from "../access/tokens.ts";
import type { Endpoint } from "./endpoint.ts";

/** Sign-in, sessions and tokens. */
export const ACCESS: readonly Endpoint[] = [
  { method: "get", path: "/api/v1/session", summary: "Who am I", answer: sessionSchema, public: true },
  {
    method: "post",
    path: "/api/v1/session",
    summary: "Sign in",
    body: signInRequestSchema,
    answer: sessionSchema,
    public: true,
  },
  {
    method: "get",
    path: "/api/v1/session/oidc/start",
    summary: "Sends a browser to the identity provider",
    query: oidcStartQuerySchema,
    answer: z.null(),
    redirects: "To the identity provider's sign-in page",
    public: true,
  },
  {
    method: "get",
    path: "/api/v1/session/oidc/callback",
    summary: "Where the identity provider sends the browser back; continues to a page",
    query: oidcCallbackQuerySchema,
    answer: z.string(),
    type: "text/html",
    public: true,
  },
  {
    method: "post",
    path: "/api/v1/session/sign-out",
    summary: "Sign out; the session ends on the server",
    answer: signedOutSchema,
    public: true,
  },
  { method: "get", path: "/api/v1/sessions", summary: "Browser sessions", answer: sessionListSchema },
  {
    method: "post",
    path: "/api/v1/sessions/{id}/end",
    summary: "End somebody's session",
    answer: sessionListSchema,
  },
  {
    method: "get",
    path: "/api/v1/tokens",
    summary: "API tokens, without their secrets; admin",
    answer: tokenListSchema,
  },
  {
    method: "post",
    path: "/api/v1/tokens",
    summary: "Make an API token; the answer shows its secret this once; admin",
    body: newTokenSchema,
    answer: madeTokenSchema,
  },
  {
    method: "post",
    path: "/api/v1/tokens/{id}/revoke",
    summary: "Revoke an API token; admin",
    answer: tokenListSchema,
  },
];
