import { basePath } from "#contracts/base-path.ts";

/** Has the base path in it: a browser sends the cookie of a console at the root of the same host as well. */
export const SESSION_COOKIE = `outbox-console${basePath().replaceAll("/", ".")}`;

/** A cookie's value in a `Cookie` header; undefined without one. */
export function cookieIn(header: string | null | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
