import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { type ConnectionOptions, credsAuthenticator } from "@nats-io/transport-node";
import { AppError } from "#domain/errors.ts";
import type { NatsSinkConfig } from "#services/config/sinks/nats-sink-schema.ts";
import { tlsOptions } from "../tls-options.ts";

/** Options for opening the client. Reads the files that the settings name. */
export function connectionOptions(config: NatsSinkConfig): ConnectionOptions {
  const { user, pass, token } = { ...loginOf(config.servers[0] ?? ""), ...definedLogin(config) };
  const tls = tlsOptions(config.tls);
  return {
    servers: config.servers.map(withoutLogin),
    name: "outbox-console",
    timeout: config.connectTimeout,
    reconnect: false,
    ignoreClusterUpdates: true,
    pingInterval: 20_000,
    noAsyncTraces: true,
    ...(user === undefined ? {} : { user, pass: pass ?? "" }),
    ...(token === undefined ? {} : { token }),
    ...(config.credentials === undefined ? {} : { authenticator: authenticator(config.credentials) }),
    // The client passes unknown TLS options to node's `tls.connect`.
    ...(tls === undefined
      ? {}
      : { tls: { ...namedBy(config.servers.map(hostOf)), ...tls } as ConnectionOptions["tls"] & object }),
  };
}

/**
 * For a server that is given by its address the client names no host, and Node then expects a certificate of
 * `localhost`, which proves nothing: it must be for one of the configured addresses.
 */
function namedBy(hosts: string[]) {
  const addresses = hosts.filter((host) => isIP(host) > 0);
  if (addresses.length === 0) return {};
  return {
    checkServerIdentity: (name: string, certificate: PeerCertificate) => {
      if (isIP(name) > 0 || name !== "localhost" || hosts.includes(name)) return checkServerIdentity(name, certificate);
      const wrong = addresses.map((address) => checkServerIdentity(address, certificate));
      return wrong.includes(undefined) ? undefined : wrong[0];
    },
  };
}

function hostOf(server: string): string {
  const address = withoutLogin(server);
  const url = URL.parse(address.includes("://") ? address : `nats://${address}`);
  return url?.hostname.replace(/^\[|\]$/g, "") ?? "";
}

type Login = { user?: string; pass?: string; token?: string };

function definedLogin({ user, password, token }: NatsSinkConfig): Login {
  return {
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
    ...(token === undefined ? {} : { token }),
  };
}

/**
 * Accepts `nats://user:password@host` and `nats://token@host`, as other clients do; this client does not by default.
 */
function loginOf(server: string): Login {
  const login = /^(?:[a-z]+:\/\/)?([^/]*)@/.exec(server)?.[1];
  if (login === undefined) return {};
  const colon = login.indexOf(":");
  if (colon < 0) return { token: decodeURIComponent(login) };
  return { user: decodeURIComponent(login.slice(0, colon)), pass: decodeURIComponent(login.slice(colon + 1)) };
}

/** Address for display, without credentials. */
export function withoutLogin(server: string): string {
  return server.replace(/^([a-z]+:\/\/)?[^/]*@/, "$1");
}

function authenticator(credentials: string) {
  const text = credentials.includes("-----BEGIN ") ? credentials.replaceAll("\\n", "\n") : readCredentials(credentials);
  return credsAuthenticator(new TextEncoder().encode(text));
}

function readCredentials(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new AppError("invalid_input", `The credentials file of the nats sink cannot be read: ${code}.`);
  }
}
