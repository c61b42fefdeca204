import { sessionCookieName } from "#contracts/base-path.ts";

export const SESSION_COOKIE = sessionCookieName();

/** A cookie's value in a `Cookie` header; undefined without one. */
export function cookieIn(header: string | null | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
