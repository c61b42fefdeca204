"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { LazyScript } from "./lazy-script.ts";

interface UsedScript<Props> {
  /** Undefined until the script has arrived. */
  Component: ComponentType<Props> | undefined;
  failed: boolean;
}

/** Loads the script when its component is first shown. @param againMs after a failure, try again at this interval */
export function useScript<Props>(script: LazyScript<Props>, againMs?: number): UsedScript<Props> {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  const [Component, setComponent] = useState(() => script.loaded);

  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    script.load().then(
      () => gone || setComponent(() => script.loaded),
      () => {
        if (gone) return;
        setFailed(true);
        if (againMs !== undefined) timer = setTimeout(() => setTries(tries + 1), againMs);
      },
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [script, againMs, tries]);
  return { Component, failed };
}
