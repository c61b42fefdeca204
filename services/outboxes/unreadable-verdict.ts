import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { type StoreTrouble, troubleOf } from "#db/stores/port/store-error.ts";
import type { AppError } from "#domain/errors.ts";
import type { Mode } from "#domain/operator.ts";
import { findingId } from "../findings/finding-id.ts";

const GOES_ON_DURING: readonly (StoreTrouble | null)[] = ["refused", "locked"];

/**
 * True if what keeps the console from reading keeps our relay from publishing. A server that lets nobody else in (no
 * connection left, another password) says nothing of a relay that has its connections, nor does a lock that a relay does
 * not wait for: it may well publish.
 */
export function publishesNothing(error: Pick<AppError, "code">, mode: Mode): boolean {
  if (mode !== "relay" || error.code !== "unavailable") return false;
  return !GOES_ON_DURING.includes(troubleOf(error));
}

/** The verdict on an outbox that cannot be read: "Not delivering" if our relay cannot publish either, else "Not known". */
export function unreadableVerdict(input: {
  outbox: string;
  /** Our relay uses the same table, which cannot be reached or read. */
  publishesNothing: boolean;
  problem: string;
  status: "warn" | "fail";
  since: string | null;
}): Verdict {
  const { outbox, publishesNothing, problem, status, since } = input;
  return {
    word: publishesNothing && status === "fail" ? "not_delivering" : "unknown",
    status,
    title: publishesNothing && status === "fail" ? "Not delivering" : "Not known",
    cause: problem.replace(/\.$/, ""),
    since,
    evidence: "Its state is unknown until it can be read again.",
    more: null,
    next: { label: "See the settings", href: `/settings?${new URLSearchParams({ outbox })}` },
    causes: [
      {
        id: findingId(outbox, "mapping", "unreadable"),
        rule: "mapping",
        word: publishesNothing && status === "fail" ? "not_delivering" : "unknown",
        severity: status,
        sentence: problem.replace(/\.$/, ""),
        since,
        messages: null,
        messagesCapped: false,
      },
    ],
  };
}
