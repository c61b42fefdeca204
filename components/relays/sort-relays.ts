import type { RelayInstance } from "#contracts/relays.ts";

const ORDER: readonly RelayInstance["state"][] = [
  "owner",
  "holding",
  "paused",
  "standby",
  "stopping",
  "lost",
  "stopped",
];

/** Those of the outbox on screen first, owners before the ones that stand by, the newest heartbeat first. */
export function sortRelays(relays: readonly RelayInstance[], outbox: string | undefined): RelayInstance[] {
  return [...relays].sort(
    (a, b) =>
      Number(b.outbox === outbox) - Number(a.outbox === outbox) ||
      a.outbox.localeCompare(b.outbox) ||
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      a.heartbeatAgeSeconds - b.heartbeatAgeSeconds,
  );
}

/** A process that still reports; what was stopped or lost is a line for the record. */
export function isLive({ state }: Pick<RelayInstance, "state">): boolean {
  return state !== "stopped" && state !== "lost";
}
