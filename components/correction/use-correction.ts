"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useIdempotencyKey } from "#components/action/use-idempotency-key.ts";
import { TOUCHED } from "#components/action/use-operation.ts";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type Correction, type CorrectionBody, correctionSchema } from "#contracts/message/corrections.ts";

/** Sends the copy. Pressing again after a lost answer sends the same key, so that one copy is sent. */
export function useCorrection(outbox: string, id: string) {
  const queryClient = useQueryClient();
  const keyOf = useIdempotencyKey();
  return useMutation({
    mutationFn: (request: CorrectionBody): Promise<Correction> => {
      const path = outboxPath(outbox, `/messages/${encodeURIComponent(id)}/corrections`);
      return apiPost(correctionSchema, path, request, { "idempotency-key": keyOf(request) });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ predicate: (query) => TOUCHED.includes(String(query.queryKey[0])) });
    },
  });
}
