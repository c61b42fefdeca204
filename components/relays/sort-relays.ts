import type { RelayInstance } from "#contracts/outbox/relays.ts";

const ORDER: readonly RelayInstance["state"][] = [
  "owner",
  "holding",
  "paused",
  "standby",
  "stopping",
  "lost",
  "stopped",
];

/** The current outbox's relays first, owners before standbys, then by newest heartbeat. */
export function sortRelays(relays: readonly RelayInstance[], outbox: string | undefined): RelayInstance[] {
  return [...relays].sort(
    (a, b) =>
      Number(b.outbox === outbox) - Number(a.outbox === outbox) ||
      a.outbox.localeCompare(b.outbox) ||
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      a.heartbeatAgeSeconds - b.heartbeatAgeSeconds,
  );
}

/** A process that still reports; stopped or lost ones are listed separately. */
export function isLive({ state }: Pick<RelayInstance, "state">): boolean {
  return state !== "stopped" && state !== "lost";
}
