/**
 * The path under which a proxy serves the console, e.g. `/outbox`; empty at the root. The build contains a placeholder
 * that is replaced later. The call of decodeURI keeps the compiler from assuming a text that is never empty, and
 * changes no character of a base path.
 */
const BASE_PATH = decodeURI(process.env.OUTBOX_BUILD_BASE_PATH ?? "");

/** The prefix itself; empty at the root. */
export function basePath(): string {
  return BASE_PATH;
}

/**
 * The path on the server of one of the console's pages or endpoints. Links and the router add the prefix themselves.
 */
export function withBasePath(path: string): string {
  return `${BASE_PATH}${path}`;
}

/**
 * The console's own path of one on the server, with its query. A path outside the prefix stays as it is: a proxy may
 * have removed the prefix already.
 */
export function withoutBasePath(path: string): string {
  return stripBase(path, BASE_PATH);
}

/** See `withoutBasePath`. `base` has no slash at its end. */
export function stripBase(path: string, base: string): string {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.replace(base, "");
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : path;
}

/**
 * Converts a path as a proxy may send it to the router's form: with the prefix once, and without a slash after the bare
 * prefix. Many proxies add that slash; the router would redirect it away and the proxy would add it again.
 */
export function asRouted(url: string): string {
  const [path = "", ...query] = withoutBasePath(url).split("?");
  const routed = path === "/" && BASE_PATH !== "" ? BASE_PATH : withBasePath(path);
  return [routed, ...query].join("?");
}

/** Has the base path in it: a browser sends the cookie of a console at the root of the same host as well. */
export function sessionCookieName(): string {
  return `outbox-console${BASE_PATH.replaceAll("/", ".")}`;
}

/** The path of cookies that are for the console alone. */
export function cookiePath(): string {
  return BASE_PATH === "" ? "/" : BASE_PATH;
}
