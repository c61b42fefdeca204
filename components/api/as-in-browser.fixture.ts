import { environmentManager } from "@tanstack/react-query";
import { afterEach, beforeEach, vi } from "vitest";

/** Queries of this file refresh as in a browser, by a clock that the test moves. */
export function asInBrowser(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    environmentManager.setIsServer(() => false);
  });
  afterEach(() => {
    environmentManager.setIsServer(() => true);
    vi.useRealTimers();
  });
}
