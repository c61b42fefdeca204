import { isIPv4 } from "node:net";
import { ConfigError } from "#domain/errors.ts";
import type { Config } from "../config/config-schema.ts";

export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?)$/.test(host) || (isIPv4(host) && host.startsWith("127."));
}

/** Throws ConfigError if the console would serve other machines without authentication. */
export function checkBind(config: Config, host: string): void {
  if (config.auth.mode !== "none" || isLoopback(host)) return;
  throw new ConfigError([
    `auth.mode none is accepted only on a loopback HOST, but HOST is ${host}. Run \`npm run hash-password\` and add this line to outbox.yaml, with the hash: auth: { mode: password, users: { admin: { role: admin, hash: "…" } } }. Or set HOST=127.0.0.1.`,
  ]);
}
