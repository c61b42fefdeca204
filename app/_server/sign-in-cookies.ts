import "server-only";
import { sealData, unsealData } from "iron-session";
import { z } from "zod";
import { cookiePath } from "#contracts/base-path.ts";
import { roleSchema } from "#contracts/common.ts";
import { ATTEMPT_SECONDS, type Attempt, attemptSchema, type Received } from "#services/auth/oidc.ts";
import { sessionSecret } from "#services/auth/sign-in.ts";
import type { Config } from "#services/config/config-schema.ts";

export const ATTEMPT_COOKIE = "outbox-console-attempt";
export const NOTE_COOKIE = "outbox-console-note";
/** A browser keeps 4 KB of a cookie, and sealing adds a third. */
const MOST_VALUES = 20;
const LONGEST = 60;

/** Why nobody was signed in, for the sign-in page. */
const noteSchema = z.object({
  problem: z.string(),
  received: z
    .object({
      claims: z.array(z.string()),
      rolesClaim: z.string(),
      form: z.enum(["list", "text", "missing", "other"]),
      values: z.array(z.string()),
      rules: z.array(
        z.object({
          value: z.string(),
          role: roleSchema,
          outboxes: z.array(z.string()).optional(),
          matched: z.boolean(),
        }),
      ),
    })
    .nullable(),
});
export type SignInNote = z.infer<typeof noteSchema>;

/** Lax, because the provider's page leads back here. */
export async function attemptCookie(config: Config, attempt: Attempt, secure: boolean): Promise<string> {
  return cookie(ATTEMPT_COOKIE, await seal(config, attempt), { site: "Lax", secure });
}

export async function noteCookie(
  config: Config,
  { problem, received }: { problem: string; received: Received | null },
  secure: boolean,
): Promise<string> {
  const note: SignInNote = { problem, received: received && short(received) };
  return cookie(NOTE_COOKIE, await seal(config, note), { site: "Strict", secure });
}

export function noCookie(name: string): string {
  return `${name}=; Path=${cookiePath()}; HttpOnly; Max-Age=0`;
}

export const readAttempt = (config: Config, value: string | undefined) => open(config, value, attemptSchema);
export const readNote = (config: Config, value: string | undefined) => open(config, value, noteSchema);

function short({ claims, rolesClaim, decision }: Received): SignInNote["received"] {
  const cut = (texts: readonly string[]) => texts.slice(0, MOST_VALUES).map((text) => text.slice(0, LONGEST));
  const rules = decision.rules.slice(0, MOST_VALUES).map(({ outboxes, value, role, matched }) => ({
    ...{ value: value.slice(0, LONGEST), role, matched },
    ...(outboxes ? { outboxes: cut(outboxes).slice(0, 3) } : {}),
  }));
  return { claims: cut(claims), rolesClaim, form: decision.form, values: cut(decision.values), rules };
}

function cookie(name: string, value: string, { site, secure }: { site: "Lax" | "Strict"; secure: boolean }): string {
  return `${name}=${value}; Path=${cookiePath()}; HttpOnly; SameSite=${site}; Max-Age=${ATTEMPT_SECONDS}${secure ? "; Secure" : ""}`;
}

function seal(config: Config, data: object): Promise<string> {
  return sealData(data, { password: sessionSecret(config), ttl: ATTEMPT_SECONDS });
}

/** Null for one that is missing, forged or too old. */
async function open<Schema extends z.ZodType>(config: Config, value: string | undefined, schema: Schema) {
  if (!value) return null;
  const data = await unsealData(value, { password: sessionSecret(config), ttl: ATTEMPT_SECONDS }).catch(() => null);
  const parsed = schema.safeParse(data);
  return parsed.success ? parsed.data : null;
}
