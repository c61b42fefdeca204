import { AppError } from "#domain/errors.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Refuses a search that is not possible, because an empty list would mean that the trace wrote no message. Throws:
 * wrong_state, with the reason why messages cannot be searched by trace.
 */
export function requireTraces(
  { name, mapping, store }: Pick<OutboxHandle, "name" | "mapping" | "store">,
  filter: { traceId?: string | undefined },
): void {
  if (filter.traceId === undefined) return;
  const { findsTraces } = store.capabilities;
  if (findsTraces !== true) throw new AppError("wrong_state", findsTraces.no);
  const { traceId, headers } = mapping.columns;
  if (traceId || headers) return;
  throw new AppError(
    "wrong_state",
    `Messages of ${name} cannot be searched by trace: its table has no column for headers or a trace id. Name one under columns.traceId.`,
  );
}
