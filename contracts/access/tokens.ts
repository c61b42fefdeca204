import { z } from "zod";
import { instantSchema, textSchema } from "../common.ts";
import { actorNameSchema } from "./session.ts";

/** `read` has the rights of a viewer, `act` those of an operator; `metrics` may only read /metrics. */
const TOKEN_SCOPES = ["read", "act", "metrics"] as const;
export const tokenScopeSchema = z.enum(TOKEN_SCOPES);
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const LONGEST_TOKEN_DAYS = 366;

export const newTokenSchema = z.strictObject({
  /** Name of its user, a program or a person; the audit shows it. */
  name: actorNameSchema,
  scope: tokenScopeSchema,
  /** Names of the only outboxes that it reaches; null: every outbox. */
  outboxes: z.array(textSchema(300)).min(1).max(100).nullable().default(null),
  days: z.number().int().min(1).max(LONGEST_TOKEN_DAYS),
});
export type NewToken = z.infer<typeof newTokenSchema>;

const apiTokenSchema = z.object({
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

/** `secret` is shown only here; the console keeps only its hash. */
export const madeTokenSchema = tokenListSchema.extend({ secret: z.string() });
export type MadeToken = z.infer<typeof madeTokenSchema>;
