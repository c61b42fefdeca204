"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type Operation, type OperationRequest, operationSchema } from "#contracts/message/operations.ts";
import { createIdempotencyKey } from "./idempotency-key.ts";

/**
 * Sends one operation. Pressing again after a lost answer sends the same key, so the server returns the first answer
 * and acts only once; a different reason makes a new request with a new key.
 */
export function useOperation(outbox: string) {
  const queryClient = useQueryClient();
  const sent = useRef({ body: "", key: "" });
  return useMutation({
    mutationFn: (request: OperationRequest): Promise<Operation> => {
      const body = JSON.stringify(request);
      if (sent.current.body !== body) sent.current = { body, key: createIdempotencyKey() };
      const headers = { "idempotency-key": sent.current.key };
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
