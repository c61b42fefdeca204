import { ApiError } from "./api-error.ts";

/** True while a query has no answer, or only one without data: what it shows may be out of date. */
export function isUnanswered({ data, error }: { data: unknown; error: Error | null }): boolean {
  return (error !== null && (isOutage(error) || saysNothing(error))) || isBlind(data);
}

/** Not of what was asked for: a proxy's page, half an answer, or that too much was asked. */
function saysNothing(error: Error): boolean {
  return error instanceof ApiError && (error.code === "contract" || error.status === 429);
}

/** A refusal (404, 422) is an answer, which the page shows in place. */
export function isOutage(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** A command without an answer that can be read may have been carried out; a refused one was not. */
export function mayBeDone(error: Error): boolean {
  return isOutage(error) || (error instanceof ApiError && error.code === "contract");
}

/** The server answers, and says that the database it asked does not. */
export function isOfOneStore(error: Error): boolean {
  return error instanceof ApiError && error.status === 503;
}

/** The database answers; this request took it too long, or the console failed at it. */
export function isOfOneRequest(error: Error): boolean {
  return error instanceof ApiError && (error.code === "query_timeout" || error.status === 500);
}

/** A list in which some outboxes could be read and others could not; null for other data. */
export function isReadInPart(data: unknown): boolean | null {
  if (typeof data !== "object" || data === null || !("outboxes" in data) || !Array.isArray(data.outboxes)) return null;
  const unread = data.outboxes.filter((outbox: { figures?: unknown }) => outbox.figures === null).length;
  return unread > 0 && unread < data.outboxes.length;
}

/** A list in which no outbox could be read: the server answers, but none of the data can be fresh. */
export function isBlind(data: unknown): boolean {
  if (typeof data !== "object" || data === null || !("outboxes" in data) || !Array.isArray(data.outboxes)) return false;
  if (data.outboxes.length === 0) return "problems" in data && Array.isArray(data.problems) && data.problems.length > 0;
  return data.outboxes.every((outbox: { figures?: unknown }) => outbox.figures === null);
}
