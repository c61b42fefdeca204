"use client";

import { useSyncExternalStore } from "react";
import { endedSession } from "#components/api/unsaved.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { SignInLink } from "#components/ui/notices/sign-in-link.tsx";
import css from "./shell.module.css";

/** Above a page that is not left for the sign-in page, as what was typed on it would be lost. */
export function SessionEnded() {
  const ended = useSyncExternalStore(endedSession.subscribe, endedSession.read, () => false);
  if (!ended) return null;
  return (
    <div className={css.ended}>
      <ErrorNote tone="warn" title="Your session has ended.">
        What you typed is still here.
        <SignInLink />, then go on here.
      </ErrorNote>
    </div>
  );
}
