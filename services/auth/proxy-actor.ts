import { createHash, timingSafeEqual } from "node:crypto";
import { actorNameSchema } from "#contracts/access/session.ts";
import { AppError } from "#domain/errors.ts";
import { type Actor, actorWith } from "#domain/operator.ts";
import { decideRoles } from "#domain/role-rules.ts";
import type { ProxyConfig } from "../config/auth-schema.ts";

/**
 * Whom the proxy in front names, if the request shows that the proxy sent it: by the shared secret, or by a connection
 * from one of its addresses (`isPeer`); by both where both are configured. Throws: unauthenticated (not from the proxy,
 * or without a name), forbidden (no role).
 */
export function proxyActor(auth: ProxyConfig, headers: Headers, isPeer: boolean): Actor {
  const { secret, peers } = auth;
  if (secret && !sameText(headers.get(secret.header) ?? "", secret.value))
    throw new AppError(
      "unauthenticated",
      `This request did not come through the proxy: ${secret.header} is wrong or missing.`,
    );
  if (peers.length > 0 && !isPeer)
    throw new AppError("unauthenticated", "This request did not come from an address in auth.peers.");
  const name = actorNameSchema.safeParse(headers.get(auth.userHeader) ?? "");
  if (!name.success)
    throw new AppError("unauthenticated", `The proxy named nobody: ${auth.userHeader} is missing or not a name.`);
  const groups = (headers.get(auth.groupsHeader) ?? "").split(",").map((group) => group.trim());
  const { grants } = decideRoles(
    groups.filter((group) => group !== ""),
    auth.roles,
    auth.default === "none" ? null : auth.default,
  );
  if (grants) return actorWith(name.data, grants);
  const said = groups.join(", ").slice(0, 200) || "nothing";
  throw new AppError(
    "forbidden",
    `${name.data} has no role in this console: ${auth.groupsHeader} has ${said}, which no rule of auth.roles matches.`,
  );
}

/** In a time that does not depend on where they differ. */
function sameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
