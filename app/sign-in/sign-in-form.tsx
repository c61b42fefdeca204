"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { FormEvent } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import { signIn } from "#components/api/session-commands.ts";
import { BrandMark } from "#components/ui/badges/brand-mark.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import css from "./sign-in.module.css";

/**
 * Name and password; the name is what the audit shows, the password decides the role. `note`: why the page is shown.
 */
export function SignInForm({ next, note }: { next: string; note: string | null }) {
  const session = useQuery(sessionQuery());
  const mutation = useMutation({
    mutationFn: signIn,
    // A full page load, so that the server already renders with the new session.
    onSuccess: () => window.location.assign(withBasePath(next)),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutation.mutate({ name: String(form.get("name")), password: String(form.get("password")) });
  }

  return (
    <main className={css.page}>
      <form className={css.form} onSubmit={submit}>
        <div className={css.brand}>
          <BrandMark />
          Outbox Console
        </div>
        <h1 className={css.title}>Sign in</h1>
        {note !== null && <ErrorNote tone="warn">{note}</ErrorNote>}
        {session.data?.mode === "none" && (
          <p className="muted">
            This console needs no sign-in.{" "}
            <Link className="link" href={next}>
              Continue
            </Link>
          </p>
        )}
        <AlreadySignedIn next={next} problem={note} />
        <TextInput
          label="Name"
          name="name"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          maxLength={100}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          maxLength={500}
        />
        {mutation.error !== null && <ErrorNote error={mutation.error} />}
        <Button type="submit" variant="filled" loading={mutation.isPending || mutation.isSuccess} fullWidth>
          Sign in
        </Button>
        <p className={css.hint}>The audit shows your name with everything you do.</p>
      </form>
    </main>
  );
}
