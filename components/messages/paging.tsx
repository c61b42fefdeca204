import { Button } from "@mantine/core";
import css from "./messages-page.module.css";
import { pageBefore, rememberStep } from "./page-trail.ts";

interface PagingProps {
  cursor: string | undefined;
  nextCursor: string | null;
  /** undefined is the first page. */
  onGo: (cursor: string | undefined) => void;
}

/** Older and newer: keyset paging has no page numbers, and rows do not shift between pages. */
export function Paging({ cursor, nextCursor, onGo }: PagingProps) {
  if (cursor === undefined && nextCursor === null) return null;

  function older(next: string) {
    rememberStep(cursor, next);
    onGo(next);
  }

  return (
    <nav className={css.paging} aria-label="Pages of the list">
      {cursor !== undefined && (
        <>
          <Button size="xs" onClick={() => onGo(undefined)}>
            Newest
          </Button>
          <Button size="xs" onClick={() => onGo(pageBefore(cursor))}>
            ← Newer
          </Button>
        </>
      )}
      <Button size="xs" disabled={nextCursor === null} onClick={() => nextCursor !== null && older(nextCursor)}>
        Older →
      </Button>
    </nav>
  );
}
