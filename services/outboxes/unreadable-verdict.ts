import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { type StoreTrouble, troubleOf } from "#db/stores/port/store-error.ts";
import type { AppError } from "#domain/errors.ts";
import type { Mode } from "#domain/operator.ts";
import { findingId } from "../findings/finding-id.ts";

const GOES_ON_DURING: readonly (StoreTrouble | null)[] = ["refused", "locked", "forbidden"];

/**
 * True if the reason why the console cannot read also stops our relay. A server that accepts no new connections (none
 * left, another password) does not stop a relay that has its connections, nor does a lock that a relay does not wait
 * for.
 */
export function publishesNothing(error: Pick<AppError, "code">, mode: Mode): boolean {
  if (mode !== "relay" || error.code !== "unavailable") return false;
  return !GOES_ON_DURING.includes(troubleOf(error));
}

/**
 * The verdict on an outbox that cannot be read: "Not delivering" if our relay cannot publish either, otherwise "Not
 * known".
 */
export function unreadableVerdict(input: {
  outbox: string;
  /** Our relay uses the same table, which cannot be reached or read. */
  publishesNothing: boolean;
  problem: string;
  /** What to do about it, where it is known. */
  remedy?: string | undefined;
  status: "warn" | "fail";
  since: string | null;
}): Verdict {
  const { outbox, publishesNothing, problem, remedy, status, since } = input;
  return {
    word: publishesNothing && status === "fail" ? "not_delivering" : "unknown",
    status,
    title: publishesNothing && status === "fail" ? "Not delivering" : "Not known",
    cause: problem.replace(/\.$/, ""),
    since,
    evidence: remedy ?? "Its state is unknown until it can be read again.",
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
        messagesEstimated: false,
      },
    ],
  };
}
