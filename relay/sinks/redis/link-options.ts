import { isIP } from "node:net";
import type { TlsOptions } from "../tls-options.ts";

export interface RedisLinkOptions {
  host: string;
  port: number;
  /** Undefined: none. */
  tls: TlsOptions | undefined;
  /** Empty: none. */
  user: string;
  password: string;
  database: number;
  /** Address for display: no user, password or query. */
  address: string;
  /** Longest wait until the connection accepts commands, in ms. */
  connectTimeoutMs: number;
}

export function linkOptions(input: {
  url: string;
  /** Undefined: as the URL says. */
  tls: TlsOptions | undefined;
  connectTimeoutMs: number;
}): RedisLinkOptions {
  const url = new URL(input.url);
  const host = url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1";
  const secure = url.protocol === "rediss:" || input.tls !== undefined;
  const database = url.pathname.slice(1);
  return {
    host,
    port: Number(url.port || 6379),
    tls: secure ? { ...(isIP(host) ? {} : { servername: host }), ...input.tls } : undefined,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: Number(database || 0),
    address: `${url.protocol}//${url.host}${database === "" ? "" : `/${database}`}`,
    connectTimeoutMs: input.connectTimeoutMs,
  };
}
