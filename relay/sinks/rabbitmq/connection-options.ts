import type { ConnectionOptions } from "rabbitmq-client";
import type { TlsOptions } from "../tls-options.ts";

/** RabbitMQ's default frame size. Headers must fit into one frame, and the client's 8 kB is too small. */
export const FRAME_MAX = 131_072;

/** AMQP URIs contain the user, the password, the virtual host and, in the query, the heartbeat in seconds. */
export function connectionOptions(
  url: URL,
  options: { tls: TlsOptions | undefined; connectTimeoutMs: number },
): ConnectionOptions {
  const secure = url.protocol === "amqps:";
  const heartbeat = Number(url.searchParams.get("heartbeat") ?? 30);
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 5671 : 5672) : Number(url.port),
    username: decodeURIComponent(url.username) || "guest",
    password: decodeURIComponent(url.password) || (url.username === "" ? "guest" : ""),
    vhost: decodeURIComponent(url.pathname.slice(1)) || "/",
    connectionName: "outbox-console",
    connectionTimeout: options.connectTimeoutMs,
    acquireTimeout: options.connectTimeoutMs,
    heartbeat: Number.isFinite(heartbeat) && heartbeat >= 0 ? heartbeat : 30,
    frameMax: FRAME_MAX,
    noDelay: true,
    ...(secure || options.tls ? { tls: options.tls ?? {} } : {}),
  };
}
