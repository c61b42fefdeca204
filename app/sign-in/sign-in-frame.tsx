"use client";

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { BrandMark } from "#components/ui/badges/brand-mark.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import css from "./sign-in.module.css";

interface SignInFrameProps {
  next: string;
  /** Why nobody is signed in. */
  problem: string | null;
  /** Path at which signing in begins; left out if the proxy in front signs people in. */
  start?: string;
  provider?: string;
  children?: ReactNode;
}

/** The sign-in page of a console where somebody else says who it is. */
export function SignInFrame({ next, problem, start, provider, children }: SignInFrameProps) {
  return (
    <main className={css.page}>
      <div className={css.form} data-wide={children ? true : undefined}>
        <div className={css.brand}>
          <BrandMark />
          Outbox Console
        </div>
        <h1 className={css.title}>Sign in</h1>
        {problem !== null && <ErrorNote>{problem}</ErrorNote>}
        {children}
        <AlreadySignedIn next={next} problem={problem} />
        {/* Plain links: an endpoint is not a page, and the whole page is to be loaded anew. */}
        {start === undefined ? (
          <Button component="a" href={withBasePath(next)} variant="filled" fullWidth>
            {problem === null ? "Continue" : "Try again"}
          </Button>
        ) : (
          <Button component="a" href={withBasePath(start)} variant="filled" fullWidth>
            Sign in with {provider}
          </Button>
        )}
        <p className={css.hint}>The audit shows your name with everything you do.</p>
      </div>
    </main>
  );
}
