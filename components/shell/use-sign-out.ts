"use client";

import { signOut } from "#components/api/session-commands.ts";
import { toast } from "#components/ui/notices/toast.ts";
import { withBasePath } from "#contracts/base-path.ts";

/** Signs out with a full page load, so that nothing of the session stays in memory. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      const { continueAt } = await signOut();
      window.location.assign(continueAt ?? withBasePath("/sign-in"));
    } catch (error) {
      toast.failed({ message: error instanceof Error ? error.message : "Sign-out failed." });
    }
  };
}
