"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** How an address becomes the current one: `push` is a step that the back button undoes. */
type Step = "push" | "replace";

/**
 * This page's parameters. Changing them only changes the address: the page reads its data itself, so a filter or the
 * next row needs no server round trip.
 */
export function useAddress(): {
  params: URLSearchParams;
  go: (params: URLSearchParams, step?: Step) => void;
  change: (values: Record<string, string | undefined>, step?: Step) => void;
} {
  const params = useSearchParams();
  const go = useCallback((next: URLSearchParams, step: Step = "push") => {
    const query = next.toString();
    const address = query === "" ? window.location.pathname : `?${query}`;
    if (step === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  const change = useCallback(
    (values: Record<string, string | undefined>, step: Step = "push") => {
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined || value === "") next.delete(name);
        else next.set(name, value);
      }
      go(next, step);
    },
    [go],
  );
  return { params, go, change };
}
