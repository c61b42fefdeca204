"use client";

import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { type PagePlace, pageBefore, rememberStep } from "./page-trail.ts";
import css from "./paging.module.css";

interface PagingProps {
  cursor: string | undefined;
  nextCursor: string | null;
  /** Place of the page's first row in its list, where the address says it. */
  at?: number | undefined;
  /** Rows of this page. */
  rows?: number;
  label?: string;
  /** Without a cursor: the first page. */
  onGo: (cursor: string | undefined, at: number | undefined) => void;
}

const FIRST_PAGE = "This is the first page.";
const UNKNOWN_PREVIOUS = "The previous page is not known, because this page was opened from a link. Use First.";
const FIRST: PagePlace = { cursor: undefined, at: undefined };

/** First, previous and next: keyset paging has no page numbers, and rows do not shift between pages. */
export function Paging(props: PagingProps) {
  const { cursor, nextCursor, label = "Pages of the list", onGo } = props;
  const steps = usePageSteps(props);
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <nav className={css.paging} aria-label={label}>
      <Button size="xs" disabled={cursor === undefined} onClick={() => onGo(undefined, undefined)}>
        First
      </Button>
      <Button
        size="xs"
        disabled={steps.previous === undefined}
        title={cursor === undefined || steps.previous ? undefined : UNKNOWN_PREVIOUS}
        onClick={steps.goBack}
      >
        ← Previous
      </Button>
      <Button size="xs" disabled={nextCursor === null} onClick={steps.goOn}>
        Next →
      </Button>
    </nav>
  );
}

/** What the buttons and the keys of a list do. */
export function usePageSteps({ cursor, nextCursor, at, rows = 0, onGo }: Omit<PagingProps, "label">) {
  // The way back is known in the browser only.
  const inBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const previous = cursor === undefined || !inBrowser ? undefined : pageBefore(cursor);
  const here = cursor === undefined ? { ...FIRST, at: 1 } : { cursor, at };
  return {
    previous,
    goFirst: () => !tellRefusal(cursor === undefined ? FIRST_PAGE : undefined) && onGo(undefined, undefined),
    goBack: () => {
      if (previous !== undefined) onGo(previous.cursor, previous.at);
      else tellRefusal(cursor === undefined ? FIRST_PAGE : UNKNOWN_PREVIOUS);
    },
    goOn: () => {
      if (tellRefusal(nextCursor === null ? "No next page is known." : undefined) || nextCursor === null) return;
      rememberStep(here, nextCursor);
      onGo(nextCursor, here.at === undefined ? undefined : here.at + rows);
    },
  };
}
