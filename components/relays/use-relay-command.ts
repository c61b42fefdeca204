"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { apiPost } from "#components/api/api-client.ts";
import { toast } from "#components/ui/notices/toast.ts";

const answerSchema = z.object({ notice: z.string().nullish() });

/** Sends one command to an outbox's relay, confirms it with a toast and refetches what it changed. */
export function useRelayCommand<Body>(outbox: string, verb: "pause" | "resume", done: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => apiPost(answerSchema, `/api/v1/relays/${encodeURIComponent(outbox)}/${verb}`, body),
    onSuccess: ({ notice }) => {
      if (notice) toast.warn({ title: done, message: notice });
      else toast.done({ message: done });
      onDone();
    },
    onSettled: () => {
      for (const key of ["relays", "snapshot", "outboxes", "blocked"])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}
