"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { createIdempotencyKey } from "#components/action/idempotency-key.ts";
import { TOUCHED } from "#components/action/use-operation.ts";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { type Correction, type CorrectionBody, correctionSchema } from "#contracts/message/corrections.ts";

/** Sends the copy. Pressing again after a lost answer sends the same key, so that one copy is sent. */
export function useCorrection(outbox: string, id: string) {
  const queryClient = useQueryClient();
  const sent = useRef({ body: "", key: "" });
  return useMutation({
    mutationFn: (request: CorrectionBody): Promise<Correction> => {
      const body = JSON.stringify(request);
      if (sent.current.body !== body) sent.current = { body, key: createIdempotencyKey() };
      const path = outboxPath(outbox, `/messages/${encodeURIComponent(id)}/corrections`);
      return apiPost(correctionSchema, path, request, { "idempotency-key": sent.current.key });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ predicate: (query) => TOUCHED.includes(String(query.queryKey[0])) });
    },
  });
}
