import type { Session } from "#contracts/access/session.ts";
import type { Actor } from "#domain/operator.ts";
import type { Runtime } from "../runtime.ts";

/** The facts about its viewer that a page may use. */
export function describeSession({ config: { auth, console } }: Pick<Runtime, "config">, actor: Actor | null): Session {
  const provider = auth.mode === "oidc" ? new URL(auth.issuer).host : null;
  return { mode: auth.mode, provider, actor, readOnly: console.readOnly };
}
