"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type Operation, type OperationRequest, operationSchema } from "#contracts/message/operations.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

/** Sends one operation; see useIdempotencyKey. */
export function useOperation(outbox: string) {
  const queryClient = useQueryClient();
  const keyOf = useIdempotencyKey();
  return useMutation({
    mutationFn: (request: OperationRequest): Promise<Operation> => {
      const headers = { "idempotency-key": keyOf(request) };
      return apiPost(operationSchema, outboxPath(outbox, "/operations"), request, headers);
    },
    // Also after an error, because an operation with a lost answer may have been performed.
    onSettled: () => {
      void queryClient.invalidateQueries({ predicate: (query) => TOUCHED.includes(String(query.queryKey[0])) });
    },
  });
}

/** Queries whose answers an action may change. */
export const TOUCHED = [
  "messages",
  "message",
  "snapshot",
  "failure-groups",
  "findings",
  "audit",
  "operations",
  "operation-preview",
  "blocked",
];
