import { z } from "zod";
import { instantSchema, roleSchema } from "../common.ts";

export const grantsSchema = z.object({
  everywhere: roleSchema.nullable(),
  outboxes: z.record(z.string(), roleSchema),
});

export const sessionSchema = z.object({
  mode: z.enum(["none", "password", "oidc", "proxy"]),
  /** Host of the identity provider; null unless the mode is `oidc`. */
  provider: z.string().nullable(),
  /** Null without a sign-in. */
  actor: z
    .object({
      name: z.string(),
      role: roleSchema,
      /** Set if the person's roles differ by outbox; `everywhere` is null if only the named outboxes are visible. */
      grants: grantsSchema.optional(),
    })
    .nullable(),
  /** The configuration forbids all changes. */
  readOnly: z.boolean(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Control characters, lone surrogates, line separators, bidirectional controls and zero-width characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200B\u2060\uFEFF]/u;

/**
 * Names under which the audit shows programs: API tokens, a changed configuration, guesses, and whoever is here without
 * a sign-in.
 */
const OF_PROGRAMS = /^(token |outbox-console\b|nobody$|local operator$)/i;

/** A person's name, as the audit will show it. */
export const actorNameSchema = z
  .string()
  .max(100)
  .trim()
  .min(1)
  .refine((name) => !UNSEEN.test(name), "must not contain control or invisible characters")
  .refine(
    (name) => !OF_PROGRAMS.test(name.normalize("NFKC")),
    "must not be a name under which the audit shows programs",
  );

/** Also the limits of what HTTP Basic may send. */
export const signInRequestSchema = z.strictObject({
  name: actorNameSchema,
  password: z.string().min(1).max(500),
});
export type SignInRequest = z.infer<typeof signInRequestSchema>;

/** `next`: a path of this console to open after signing in. */
export const oidcStartQuerySchema = z.object({ next: z.string().max(2000).optional() });

/** Parameters with which the provider redirects the browser; it may add others. */
export const oidcCallbackQuerySchema = z.looseObject({
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
});

/** URL that ends the provider's own session; null if signing out is complete. */
export const signedOutSchema = sessionSchema.extend({ continueAt: z.string().nullable() });

/** One browser sign-in; programs that send HTTP Basic have no session. */
export const openSessionSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  /** Where the sign-in came from; empty when it is not known. */
  address: z.string(),
  startedAt: instantSchema,
  seenAt: instantSchema,
  expiresAt: instantSchema,
  /** The session of this request. */
  current: z.boolean(),
});

export const sessionListSchema = z.object({
  /** Where sessions are kept: `memory` ends them all when the console restarts. */
  kept: z.enum(["database", "memory"]),
  /** Why they are not kept in the database; null if they are. */
  problem: z.string().nullable(),
  sessions: z.array(openSessionSchema),
});
export type SessionList = z.infer<typeof sessionListSchema>;
