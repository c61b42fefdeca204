import type { z } from "zod";
import { withBasePath, withoutBasePath } from "#contracts/base-path.ts";
import { ApiError, SESSION_ENDED } from "./api-error.ts";
import { endedSession } from "./unsaved.ts";

type ParamValue = string | number | boolean | null | undefined;
export type ApiParams = Readonly<Record<string, ParamValue | readonly string[]>>;

/** Builds `path?a=1&b=x&b=y`; empty values are left out, so a cleared filter leaves no trace in the address. */
export function buildPath(path: string, params: ApiParams = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== "") search.append(name, String(item));
    }
  }
  const query = search.toString();
  return query ? `${path}?${query}` : path;
}

/**
 * Reads one resource and validates it against its contract.
 * @throws ApiError; status 0: no answer; 401: the redirect to the sign-in page has begun, or `unsaved` holds the page
 */
export async function apiGet<S extends z.ZodType>(
  schema: S,
  path: string,
  params?: ApiParams,
  signal?: AbortSignal,
): Promise<z.output<S>> {
  return request(schema, buildPath(path, params), { kind: "reading", signal });
}

/** Reads what only a body can ask for, as a preview; see apiGet. */
export async function apiReadBy<S extends z.ZodType>(
  schema: S,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<z.output<S>> {
  return request(schema, path, { kind: "reading", signal, ...jsonPost(JSON.stringify(body)) });
}

/** Commands without an answer yet, by address and body. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Sends one command; see apiGet for the errors. The same command again before its answer, by a double click or a key
 * that is held, is the one under way: it gets that answer, and nothing is sent twice.
 */
export async function apiPost<S extends z.ZodType>(
  schema: S,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<z.output<S>> {
  const text = JSON.stringify(body ?? {});
  const command = `${path}\n${text}`;
  const sent = underWay.get(command) as Promise<z.output<S>> | undefined;
  if (sent !== undefined) return sent;
  const asked = request(schema, path, { kind: "command", ...jsonPost(text, headers) }).finally(() =>
    underWay.delete(command),
  );
  underWay.set(command, asked);
  return asked;
}

function jsonPost(body: string, headers: Record<string, string> = {}) {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
}

const TIMEOUT_MS = {
  /** The page reports silence after 3 s; until this limit the server may still give the reason. */
  reading: 8_000,
  /** Longer than the server works on one: it begins with the last of 100 messages within 60 s. */
  command: 75_000,
};

interface Asked extends Pick<RequestInit, "method" | "headers" | "body"> {
  kind: keyof typeof TIMEOUT_MS;
  signal?: AbortSignal | undefined;
}

async function request<S extends z.ZodType>(schema: S, path: string, asked: Asked): Promise<z.output<S>> {
  const { response, body } = await send(path, asked);
  // Health answers 503 with a full document: a body that matches the contract is an answer, not an error.
  const parsed = schema.safeParse(body);
  const isHealth = response.headers.get("content-type")?.includes("health+json") ?? false;
  if (!response.ok && !(isHealth && parsed.success)) {
    if (response.status === 401 && goToSignIn(asked.kind) === "held") throw sessionEnded(asked.kind);
    throw refusal(response, body);
  }
  endedSession.over();
  if (!parsed.success) {
    throw new ApiError({
      status: response.status,
      code: "contract",
      message: "This page does not understand the server's answer. Reload it; the console may have been upgraded.",
      details: parsed.error.issues.slice(0, 5),
    });
  }
  return parsed.data;
}

/** A request may get no answer at all, as after a sleep of the computer or in a network that swallows it. */
async function send(path: string, asked: Asked): Promise<{ response: Response; body: unknown }> {
  const { kind, signal, ...init } = asked;
  const timeout = AbortSignal.timeout(TIMEOUT_MS[kind]);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const response = await fetch(withBasePath(path), {
      credentials: "same-origin",
      cache: "no-store",
      signal: either,
      ...init,
    });
    return { response, body: await readBody(response) };
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : "";
    if (name === "AbortError") throw cause;
    throw new ApiError({
      status: 0,
      code: "unreachable",
      message: name === "TimeoutError" ? hangs(kind) : UNREACHABLE,
    });
  }
}

const UNREACHABLE = "The console's server does not answer.";

function hangs(kind: Asked["kind"]): string {
  return `No answer within ${TIMEOUT_MS[kind] / 1000} s: the console's server or its database hangs.`;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(response: Response, body: unknown): ApiError {
  const error = errorOf(body);
  return new ApiError({
    status: response.status,
    code: error?.code ?? "internal",
    message: error?.message ?? `The server answered ${response.status} without saying why.`,
    requestId: error?.requestId ?? response.headers.get("x-request-id") ?? undefined,
    details: error?.details,
  });
}

/** For a page that stays. */
function sessionEnded(kind: Asked["kind"]): ApiError {
  const message = kind === "command" ? "Your session has ended, so this was not done." : "Your session has ended.";
  return new ApiError({ status: 401, code: kind === "command" ? SESSION_ENDED : "unauthenticated", message });
}

function errorOf(
  body: unknown,
): { code?: string; message?: string; requestId?: string; details?: unknown } | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  return typeof body.error === "object" && body.error !== null ? body.error : undefined;
}

/** True while the page signs out: other requests may be answered 401 before it knows where to go next. */
let signingOut = false;

/** Runs the command that ends the session; until it is answered, a 401 of another request does not redirect. */
export async function whileSigningOut<T>(command: () => Promise<T>): Promise<T> {
  signingOut = true;
  try {
    return await command();
  } catch (error) {
    signingOut = false;
    if (error instanceof ApiError && error.status === 401) goToSignIn("reading");
    throw error;
  }
}

/**
 * Includes the page's address, to which signing in returns, and whether a command was refused. A page with text that
 * would be lost is held.
 */
function goToSignIn(kind: Asked["kind"]): "held" | undefined {
  if (signingOut) return;
  if (endedSession.isHeld()) return "held";
  const path = withoutBasePath(window.location.pathname);
  if (path === "/sign-in") return;
  window.location.assign(
    withBasePath(
      buildPath("/sign-in", { ended: kind === "command" ? "undone" : "reading", next: path + window.location.search }),
    ),
  );
}
