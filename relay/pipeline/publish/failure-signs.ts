import type { Failure } from "#domain/failure.ts";
import type { Tried } from "./consequences.ts";

const ANSWERED: ReadonlySet<string> = new Set(["server_error", "unknown", "unavailable", "too_large", "rejected"]);
const SILENT: ReadonlySet<string> = new Set(["timeout", "unreachable"]);

/** True for the endpoint's own answer: it was reachable. */
export function isAnswer(code: string | null | undefined): boolean {
  return ANSWERED.has(code ?? "");
}

/** True if no answer came: if no other message gets through, the sink is the likelier cause. */
export function isSilence({ code }: Failure): boolean {
  return SILENT.has(code);
}

/** True if the failure shows that the sink or the message's route cannot be used for any message. */
export function isSign({ kind }: Failure): boolean {
  return kind === "environment" || kind === "route";
}

export function isOfRoute({ failure }: Tried): boolean {
  return failure.kind === "route";
}

/** True if even a message that fails alone is not to blame: it waits, and uses up no attempt. */
export function sparesMessage({ code, kind }: Failure): boolean {
  return kind === "route" || (kind === "environment" && code === "throttled");
}
