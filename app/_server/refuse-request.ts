import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "#domain/errors.ts";

export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  headers?: Record<string, string>;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Why a request is refused, judged by its first line and headers alone; null if it is accepted. */
export function refusalOf(request: Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">): Refusal | null {
  const { method = "", url = "" } = request;
  if (!METHODS.includes(method)) {
    const message = `The method ${method} is not allowed.`;
    return { status: 405, code: "invalid_input", message, headers: { allow: METHODS.join(", ") } };
  }
  // Refuses absolute addresses, `*`, and paths that a browser resolves to another host: `//host`, `/\host`.
  if (!/^\/(?![/\\])/.test(url)) return invalid("The address must be a path of this console.");
  if (count(request.rawHeaders, "host") > 1) return invalid("The request has more than one Host header.");
  const proto = request.headers["x-forwarded-proto"];
  if (proto !== undefined && !/^https?$/i.test(String(proto))) {
    return invalid("X-Forwarded-Proto must be http or https alone: the proxy has to overwrite it, not append to it.");
  }
  return null;
}

function invalid(message: string): Refusal {
  return { status: 400, code: "invalid_input", message };
}

function count(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
