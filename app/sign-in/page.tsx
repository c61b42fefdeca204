import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { isAppError } from "#domain/errors.ts";
import { actorOf } from "../_server/actor.ts";
import { getRuntime } from "../_server/runtime.ts";
import { NOTE_COOKIE, readNote } from "../_server/sign-in-cookies.ts";
import { safeNext } from "./safe-next.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { SignInNotePanel } from "./sign-in-note.tsx";

export const metadata: Metadata = { title: "Sign in" };

/** By what was refused: a command, or a page's refresh. */
const SESSION_ENDED: Record<string, string> = {
  undone: "Your session has ended. What you asked for was not done: sign in and do it again.",
  reading: "Your session has ended.",
};

interface SignInPageProps {
  /** `ended`: a key of SESSION_ENDED, if a page was open when the session ended. */
  searchParams: Promise<{ next?: string | string[]; ended?: string | string[] }>;
}

/** Never leads to the provider by itself: whoever signed out, or has no role, would go round in circles. */
export default async function SignInPage({ searchParams }: SignInPageProps) {
  const search = await searchParams;
  const next = safeNext(search.next);
  const ended = typeof search.ended === "string" ? (SESSION_ENDED[search.ended] ?? null) : null;
  const { config } = getRuntime();
  const { auth } = config;
  if (auth.mode === "proxy") return <SignInFrame next={next} problem={await whyNotThroughProxy()} />;
  if (auth.mode !== "oidc") return <SignInForm next={next} note={ended} />;
  const note = await readNote(config, (await cookies()).get(NOTE_COOKIE)?.value);
  return (
    <SignInFrame
      next={next}
      problem={note?.problem ?? ended}
      start={`/api/v1/session/oidc/start?next=${encodeURIComponent(next)}`}
      provider={new URL(auth.issuer).host}
    >
      {note?.received && <SignInNotePanel received={note.received} fallback={auth.default} />}
    </SignInFrame>
  );
}

/** The sentence with which the proxy's request is refused; null if it is accepted by now. */
async function whyNotThroughProxy(): Promise<string | null> {
  try {
    const request = new Request("http://console.invalid/", { headers: await headers() });
    await actorOf(getRuntime(), request);
    return null;
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}
