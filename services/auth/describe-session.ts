import type { Session } from "#contracts/access/session.ts";
import type { Actor } from "#domain/operator.ts";
import type { Runtime } from "../runtime.ts";

/** What a page may know about the one who looks at it. */
export function describeSession({ config: { auth, console } }: Pick<Runtime, "config">, actor: Actor | null): Session {
  const provider = auth.mode === "oidc" ? new URL(auth.issuer).host : null;
  return { mode: auth.mode, provider, actor, readOnly: console.readOnly };
}
