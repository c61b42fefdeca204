import { type Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { isUnanswered } from "./outage.ts";

const RETRY_DELAY_MS = 400;
const AGAIN_MS = 5_000;

/** Retries a broken connection once. A refusal (4xx) is not retried: the answer would be the same. */
function shouldRetry(failureCount: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && failureCount < 1;
}

/**
 * What a page reads once, such as who is signed in, is asked for again until it is answered. What nobody repeats by
 * itself, such as a dry run, waits for a person.
 */
function againMs({ state, options }: Query): number | false {
  return isUnanswered(state) && options.retry !== false ? AGAIN_MS : false;
}

/** `networkMode: always`: the console often runs on loopback, where the browser's idea of "offline" is wrong. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        retry: shouldRetry,
        retryDelay: RETRY_DELAY_MS,
        refetchInterval: againMs,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 1000,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
