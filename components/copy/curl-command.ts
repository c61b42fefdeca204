import type { Session } from "#contracts/access/session.ts";
import { withBasePath } from "#contracts/base-path.ts";
import { quoteForShell } from "./quote-for-shell.ts";

export interface Curl {
  flags: string;
  path: string;
  /** Undefined while nobody knows whether the console asks who it is. */
  mode: Session["mode"] | undefined;
}

/** Reads a path of this console, with the API token of whoever runs it, unless the console needs none. */
export function curlCommand({ flags, path, mode }: Curl, origin = window.location.origin): string {
  const token = mode === "none" ? "" : ' -H "authorization: Bearer $OUTBOX_TOKEN"';
  return `curl ${flags}${token} ${quoteForShell(origin + withBasePath(path))}`;
}
