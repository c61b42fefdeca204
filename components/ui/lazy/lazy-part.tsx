"use client";

import type { ComponentType, ReactNode } from "react";
import { LazyScript } from "./lazy-script.ts";
import { useScript } from "./use-script.ts";

const AGAIN_MS = 5_000;

/**
 * A part of a page whose script loads when it is first shown. Its place stays empty until then; while the script cannot
 * be loaded, `failed` stands there and the load is repeated. The rest of the page is not affected.
 */
export function lazyPart<Props extends object>(request: () => Promise<ComponentType<Props>>, failed: ReactNode = null) {
  const script = new LazyScript(request);
  return function Part(props: Props) {
    const { Component, failed: missing } = useScript(script, AGAIN_MS);
    if (Component === undefined) return missing ? failed : null;
    return <Component {...props} />;
  };
}
