import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { AppError } from "#domain/errors.ts";
import type { TlsConfig } from "#services/config/sinks/tls-schema.ts";

export type TlsOptions = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

/**
 * Options for node's `tls.connect` and every client built on it. Undefined when the settings ask for no TLS: a client
 * whose URL asks for it (https, amqps, rediss) then uses the system's authorities. Reads the configured files when the
 * sink opens, so that a wrong path is known then and not at the first event. Throws AppError.
 */
export function tlsOptions(config: TlsConfig): TlsOptions | undefined {
  if (config === false) return undefined;
  if (config === true) return {};
  if ((config.cert === undefined) !== (config.key === undefined)) {
    throw new AppError("invalid_input", "A client certificate needs both tls.cert and tls.key.");
  }
  return {
    ...(config.ca === undefined ? {} : { ca: pemOf("ca", config.ca) }),
    ...(config.cert === undefined ? {} : { cert: pemOf("cert", config.cert) }),
    ...(config.key === undefined ? {} : { key: pemOf("key", config.key) }),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
    ...(config.insecure ? { rejectUnauthorized: false } : {}),
  };
}

function pemOf(setting: string, value: string): string {
  // Environment variables often carry line breaks as two characters; PEM itself has no backslash.
  if (value.includes("-----BEGIN ")) return value.replaceAll("\\n", "\n");
  const text = readText(setting, value);
  if (text.includes("-----BEGIN ")) return text;
  throw new AppError("invalid_input", `The file ${value} in tls.${setting} contains no PEM text.`);
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // The error shows the value, so a key that was pasted without its first line must not be taken for a path.
    const shown = setting === "key" ? "" : `, ${path.slice(0, 200)},`;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new AppError("invalid_input", `The file of tls.${setting}${shown} cannot be read: ${code}.`);
  }
}
