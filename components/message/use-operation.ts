"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type Operation, type OperationRequest, operationSchema } from "#contracts/operations.ts";
import { createIdempotencyKey } from "./idempotency-key.ts";

/**
 * Sends one operation. The key is made once per dialog: pressing again after a lost answer gives the first answer and
 * does nothing twice.
 */
export function useOperation(outbox: string) {
  const queryClient = useQueryClient();
  const [key] = useState(createIdempotencyKey);
  return useMutation({
    mutationFn: (request: OperationRequest): Promise<Operation> =>
      apiPost(operationSchema, outboxPath(outbox, "/operations"), request, { "idempotency-key": key }),
    // Also after an error: a lost answer may have been a done operation.
    onSettled: () => {
      void queryClient.invalidateQueries({ predicate: (query) => TOUCHED.includes(String(query.queryKey[0])) });
    },
  });
}

const TOUCHED = ["messages", "message", "snapshot", "failure-groups", "findings", "audit"];
