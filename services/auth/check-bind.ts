import { ConfigError } from "#domain/errors.ts";
import type { Config } from "../config/config-schema.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Refuses to serve without authentication to anyone but this machine. Throws: ConfigError. */
export function checkBind(config: Config, host: string): void {
  if (config.auth.mode !== "none" || isLoopback(host)) return;
  throw new ConfigError([
    `auth: none is accepted only on a loopback HOST, but HOST is ${host}. Set auth: { mode: password, ... } in outbox.yaml (npm run hash-password makes the hashes), or HOST=127.0.0.1.`,
  ]);
}
