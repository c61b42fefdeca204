import { setTimeout as delay } from "node:timers/promises";
import type { ZodType } from "zod";

/** Result of one request. `code` 0: no answer in time, or no connection. */
export interface Answer<T> {
  code: number;
  body: T | null;
  /** Why there is no body: the API's error sentence, or how the body breaks its contract. */
  error: string | null;
  contractBroken: boolean;
  tookMs: number;
}

/** Longer than any answer here should take, and short enough to notice a hanging one. */
const PATIENCE_MS = 15_000;

/** Requests pages and documents from the console, as a browser or an alerting system does. */
export class ConsoleClient {
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** Reads a document and validates it against its contract; an API error also counts as an answer. */
  async read<T>(path: string, schema: ZodType<T>, accepts: readonly number[] = [200]): Promise<Answer<T>> {
    const startedMs = performance.now();
    const took = () => Math.round(performance.now() - startedMs);
    try {
      const response = await fetch(this.base + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const json: unknown = await response.json();
      if (!accepts.includes(response.status)) return refused(response.status, json, took());
      const parsed = schema.safeParse(json);
      const error = parsed.success ? null : parsed.error.issues.map((one) => `${one.path.join(".")}: ${one.message}`);
      return {
        code: response.status,
        body: parsed.success ? parsed.data : null,
        error: error?.slice(0, 5).join("; ") ?? null,
        contractBroken: !parsed.success,
        tookMs: took(),
      };
    } catch (error) {
      const cause = error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
      return { code: 0, body: null, error: cause.trim(), contractBroken: false, tookMs: took() };
    }
  }

  /** Retries for some seconds while the API says that the database is busy. */
  async readPatiently<T>(path: string, schema: ZodType<T>): Promise<Answer<T>> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    let answer = await this.read(path, schema);
    while (answer.code === 503 && performance.now() < deadlineMs) {
      await delay(500);
      answer = await this.read(path, schema);
    }
    return answer;
  }

  /** Throws when the API refuses. */
  async post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(this.base + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
    const json: unknown = await response.json();
    if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Status code of a page. */
  async page(path: string): Promise<number> {
    const response = await fetch(this.base + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.text();
    return response.status;
  }
}

function refused(code: number, json: unknown, tookMs: number): Answer<never> {
  const message = (json as { error?: { message?: unknown } } | null)?.error?.message;
  return { code, body: null, error: String(message ?? JSON.stringify(json)), contractBroken: false, tookMs };
}
