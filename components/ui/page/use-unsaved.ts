"use client";

import { useEffect } from "react";
import { holdPage } from "#components/api/unsaved.ts";

/** Keeps the page when the session ends while `on`: there is text that would be lost with it. */
export function useUnsaved(on: boolean): void {
  useEffect(() => (on ? holdPage() : undefined), [on]);
}
