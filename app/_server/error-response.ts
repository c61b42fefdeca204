import "server-only";
import type { ErrorBody } from "#contracts/common.ts";
import { ConfigError, ERROR_STATUS, isAppError } from "#domain/errors.ts";
import { openLog } from "#services/open-log.ts";

const log = openLog("console", 1);

/** The only place that turns errors into HTTP. Unexpected errors are logged in full and shown as "Internal error". */
export function errorResponse(error: unknown, request: { method: string; url: string; requestId: string }): Response {
  const { requestId } = request;
  if (isAppError(error)) {
    const { code, message, details } = error;
    if (ERROR_STATUS[code] >= 500) log.warn({ requestId, code, cause: describe(error.cause) }, message);
    return body(ERROR_STATUS[code], { error: { code, message, requestId, ...(details ? { details } : {}) } });
  }
  if (error instanceof ConfigError) {
    log.error({ requestId }, error.message);
    return body(503, {
      error: {
        code: "unavailable",
        message: "The configuration of this console is not valid; its log says what is wrong.",
        requestId,
      },
    });
  }
  log.error({ requestId, method: request.method, path: pathOf(request.url), err: error }, "Internal error");
  return body(500, {
    error: {
      code: "internal",
      message: "Internal error. The log of the console has the details under this request id.",
      requestId,
    },
  });
}

function body(status: number, content: ErrorBody): Response {
  const retry: Record<string, string> = status === 429 || status === 503 ? { "retry-after": "5" } : {};
  const challenge: Record<string, string> =
    status === 401 ? { "www-authenticate": 'Session realm="Outbox Console"' } : {};
  // The rest of a body that is too large is not read, so the connection closes.
  const close: Record<string, string> = status === 413 ? { connection: "close" } : {};
  return Response.json(content, {
    status,
    headers: { "cache-control": "no-store", "x-request-id": content.error.requestId, ...retry, ...challenge, ...close },
  });
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message.slice(0, 300) : undefined;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
