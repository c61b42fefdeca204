"use client";

import { useEffect } from "react";
import { clipWords } from "../format/clip-words.ts";

const PRODUCT = "Outbox Console";
const MOST_CHARACTERS = 80;

/** The browser's title while the page is about this; undefined leaves the page's own one. */
export function usePageTitle(about: string | undefined): void {
  useEffect(() => {
    if (about === undefined) return;
    const before = document.title;
    const title = `${clipWords(about, MOST_CHARACTERS)} · ${PRODUCT}`;
    document.title = title;
    return () => {
      // The next page may have set its own.
      if (document.title === title) document.title = before;
    };
  }, [about]);
}
