"use client";

import { useQuery } from "@tanstack/react-query";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import type { Bulk, Operation, OperationList } from "#contracts/message/operations.ts";
import { isEnded } from "#domain/message/bulk-operation.ts";
import { runningOperationsQuery } from "./operation-queries.ts";

export type RunningOperation = Operation & { bulk: Bulk };

const IDLE_MS = 10_000;
const RUNNING_MS = 2_000;

/**
 * Operations of every outbox that have not ended, those that halted first; for the shell, on every page. `isWhole` is
 * false if there may be others, because a store did not answer; `isOld` is true while they could not be read again.
 */
export function useRunningOperations(): { running: RunningOperation[]; isWhole: boolean; isOld: boolean } {
  const live = useLive();
  const isOld = useFailure(runningOperationsQuery().queryKey) !== null;
  const { data } = useQuery({
    ...runningOperationsQuery(),
    // A silent store of another outbox must not make this page's figures old; the page of operations says it.
    ...liveOptions(live, { freshness: false }),
    refetchInterval: (query) => {
      const intervalMs = runningIn(query.state.data).length > 0 ? RUNNING_MS : IDLE_MS;
      return liveOptions(live, { atLeastMs: intervalMs }).refetchInterval(query);
    },
  });
  return { running: runningIn(data), isWhole: data?.missing.length === 0, isOld };
}

function runningIn(list: OperationList | undefined): RunningOperation[] {
  const running = (list?.operations ?? []).filter(isRunning);
  return running.toSorted((a, b) => Number(b.bulk.state === "halted") - Number(a.bulk.state === "halted"));
}

function isRunning(operation: Operation): operation is RunningOperation {
  return operation.bulk !== null && !isEnded(operation.bulk.state);
}
