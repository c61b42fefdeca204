"use client";

import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError, SESSION_ENDED } from "#components/api/api-error.ts";
import { CodeBlock } from "../values/code-block.tsx";
import css from "./error-note.module.css";
import { SignInLink } from "./sign-in-link.tsx";

interface ErrorNoteProps {
  /** What failed, as a sentence: "The messages could not be read." */
  title?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  /** "Try again" when left out. */
  retryLabel?: string;
  tone?: "bad" | "warn";
  children?: ReactNode;
}

/** Reports an error in place and keeps the rest of the page. */
export function ErrorNote({ title, error, onRetry, retryLabel = "Try again", tone = "bad", children }: ErrorNoteProps) {
  const index = indexIn(error);
  // Only errors of the server are in its log; a refusal, such as of a wrong password, says all there is.
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return (
    <div className={css.note} data-tone={tone} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div className={css.body}>
        {title !== undefined && <strong>{title} </strong>}
        {error !== undefined && error !== null && <span>{messageOf(error)}</span>}
        {index !== undefined && <CodeBlock text={index} label="the SQL of the index that serves it" />}
        {error instanceof ApiError && error.code === SESSION_ENDED && (
          <>
            <SignInLink />, then repeat it here.
          </>
        )}
        {children}
        {requestId !== undefined && <div className={css.id}>Request {requestId}</div>}
      </div>
      {onRetry !== undefined && (
        <button type="button" className={css.again} onClick={onRetry}>
          {retryLabel}
        </button>
      )}
    </div>
  );
}

/** The SQL in a refusal that names the missing index. */
function indexIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "filter_not_indexed") return undefined;
  const { index } = (error.details ?? {}) as { index?: unknown };
  return typeof index === "string" && index !== "" ? index : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something unexpected happened.";
}
