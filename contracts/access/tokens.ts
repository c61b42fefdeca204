import { z } from "zod";
import { instantSchema, textSchema } from "../common.ts";
import { actorNameSchema } from "./session.ts";

/** `read` looks as a viewer does, `act` acts as an operator does, `metrics` reads /metrics and nothing else. */
export const TOKEN_SCOPES = ["read", "act", "metrics"] as const;
export const tokenScopeSchema = z.enum(TOKEN_SCOPES);
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const LONGEST_TOKEN_DAYS = 366;

export const newTokenSchema = z.strictObject({
  /** What or who uses it; the audit shows it. */
  name: actorNameSchema,
  scope: tokenScopeSchema,
  /** Names of the only outboxes that it reaches; null: every outbox. */
  outboxes: z.array(textSchema(300)).min(1).max(100).nullable().default(null),
  days: z.number().int().min(1).max(LONGEST_TOKEN_DAYS),
});
export type NewToken = z.infer<typeof newTokenSchema>;

export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: tokenScopeSchema,
  outboxes: z.array(z.string()).nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  expiresAt: instantSchema,
  /** To the minute; null if it was never used. */
  usedAt: instantSchema.nullable(),
  /** Address of its last use. */
  usedFrom: z.string().nullable(),
  /** Null while it is valid. */
  revoked: z.object({ at: instantSchema, by: z.string() }).nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

export const tokenListSchema = z.object({
  /** Newest first; revoked and expired ones for 30 days. */
  tokens: z.array(apiTokenSchema),
  /** Sentence: why none can be made; null if they can. */
  problem: z.string().nullable(),
  asOf: instantSchema,
});
export type TokenList = z.infer<typeof tokenListSchema>;

/** `secret` is shown this once; the console keeps its hash only. */
export const madeTokenSchema = tokenListSchema.extend({ secret: z.string() });
export type MadeToken = z.infer<typeof madeTokenSchema>;
