import { AT_ONCE_MS } from "../../port/relay/outgoing-message.ts";

/**
 * `OutgoingMessage.scheduled` of a row as the log has it. Both as ISO 8601; `availableAt` as it is if it is no instant.
 */
export function isScheduled(availableAt: string | null, createdAt: string | null): boolean {
  if (availableAt === null) return false;
  const atOnce = createdAt !== null && Date.parse(availableAt) <= Date.parse(createdAt) + AT_ONCE_MS;
  return !atOnce;
}
