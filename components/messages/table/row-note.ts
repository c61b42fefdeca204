import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatDuration } from "#domain/format.ts";

/** A row's note in one line: the last error, otherwise what the message waits for. */
export function describeRow(message: MessageSummary, nowMs: number): string {
  if (message.lastError !== null) return withCode(message.lastErrorCode, firstLine(message.lastError));
  if (message.claimExpired) return "its claim has expired";
  if (message.blockedBy !== null && message.state === "pending")
    return "waits behind an earlier message of its aggregate";
  if (message.state === "unknown") return `status ${message.rawStatus ?? "NULL"} is not in the mapping`;
  const dueInSeconds = message.availableAt === null ? 0 : (Date.parse(message.availableAt) - nowMs) / 1000;
  if (message.state === "pending" && dueInSeconds > 0) return `scheduled, due in ${formatDuration(dueInSeconds)}`;
  return "";
}

/** "4/10", "4" if the limit is unknown, a dash if attempts are not recorded. */
export function describeAttempts(message: Pick<MessageSummary, "attempts" | "maxAttempts">): string {
  if (message.attempts === null) return "–";
  return message.maxAttempts === null ? String(message.attempts) : `${message.attempts}/${message.maxAttempts}`;
}

function withCode(code: string | null, text: string): string {
  return code === null || text.toLowerCase().includes(code.toLowerCase()) ? text : `${code}: ${text}`;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}
