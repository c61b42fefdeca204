import { useCallback, useRef } from "react";

/** A function that stays the same and calls the newest `run`, for what is drawn again only if its props change. */
export function useLatest<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
