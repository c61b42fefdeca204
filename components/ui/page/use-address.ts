"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect } from "react";
import { askedAddress } from "./asked-address.ts";

/** How an address becomes the current one: `push` is a step that the back button undoes. */
type Step = "push" | "replace";

/**
 * This page's parameters. Changing them only changes the address: the page reads its data itself, so a filter or the
 * next row needs no server round trip. `params` are those rendered; `askedAddress` is ahead of them.
 */
export function useAddress(): {
  params: URLSearchParams;
  go: (params: URLSearchParams, step?: Step) => void;
  change: (values: Record<string, string | undefined>, step?: Step) => void;
} {
  const params = useSearchParams();
  const rendered = params.toString();
  useEffect(() => askedAddress.rendered(rendered), [rendered]);
  useEffect(() => {
    window.addEventListener("popstate", askedAddress.forget);
    return () => window.removeEventListener("popstate", askedAddress.forget);
  }, []);

  const go = useCallback((next: URLSearchParams, step: Step = "push") => {
    const query = next.toString();
    const address = query === "" ? window.location.pathname : `?${query}`;
    askedAddress.ask(query);
    if (step === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  const change = useCallback(
    (values: Record<string, string | undefined>, step: Step = "push") => {
      const next = askedAddress.params();
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
