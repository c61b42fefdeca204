"use client";

import { z } from "zod";
import { apiPost } from "#components/api/api-client.ts";
import { toast } from "#components/ui/toast.ts";

/** Leaves by a full page load, so that nothing of the session stays in memory. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      await apiPost(z.unknown(), "/api/v1/session/sign-out");
      window.location.assign("/sign-in");
    } catch (error) {
      toast.failed({ message: error instanceof Error ? error.message : "Signing out did not work." });
    }
  };
}
