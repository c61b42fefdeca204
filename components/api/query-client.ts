import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

const RETRY_DELAY_MS = 400;

/** Retries a broken connection once. A refusal (4xx) is not retried: the answer would be the same. */
function shouldRetry(failureCount: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && failureCount < 1;
}

/** `networkMode: always`: the console often runs on loopback, where the browser's idea of "offline" is wrong. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        retry: shouldRetry,
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 1000,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
