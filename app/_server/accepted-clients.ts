import { createHash } from "node:crypto";
import { processState } from "#services/process-state.ts";
import { PEER_HEADER } from "./peer-header.ts";
import { cookieIn, SESSION_COOKIE } from "./session-cookie.ts";

/** Of more the ones accepted longest ago are forgotten. */
const MOST_CLIENTS = 1_000;

/** What a client shows: a session, credentials, or, behind a proxy that signs people in, the proxy's address. */
interface Shown {
  cookie: string | null | undefined;
  authorization: string | null | undefined;
  peer: string | null | undefined;
}

const accepted = () => processState("accepted-clients", () => new Set<string>());

/**
 * Notes that somebody was signed in by this request. `byProxy`: by the word of the proxy at the other end of the
 * connection.
 */
export function noteAccepted(headers: Headers, { byProxy }: { byProxy: boolean }): void {
  const peer = byProxy ? headers.get(PEER_HEADER) : null;
  const clients = accepted();
  for (const key of keysOf({ cookie: headers.get("cookie"), authorization: headers.get("authorization"), peer })) {
    clients.delete(key);
    clients.add(key);
  }
  for (const key of clients) {
    if (clients.size <= MOST_CLIENTS) return;
    clients.delete(key);
  }
}

/**
 * True if what a request shows was accepted before. It decides how soon a request has its turn, never what it may do.
 */
export function wasAccepted(shown: Shown): boolean {
  return keysOf(shown).some((key) => accepted().has(key));
}

function keysOf({ cookie, authorization, peer }: Shown): string[] {
  const session = cookieIn(cookie, SESSION_COOKIE);
  return [
    ...(session ? [digest(`session ${session}`)] : []),
    ...(authorization ? [digest(`credentials ${authorization}`)] : []),
    ...(peer ? [`peer ${peer}`] : []),
  ];
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");
