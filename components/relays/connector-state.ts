import type { BadgeTone } from "#components/ui/badges/badge.tsx";
import type { Connector } from "#contracts/outbox/connectors.ts";

const TONES: Record<string, BadgeTone> = { RUNNING: "ok", PAUSED: "warn", STOPPED: "warn", FAILED: "bad" };

/**
 * Connect's state as the console writes it, with its colour. Connect calls a connector RUNNING even if its tasks
 * failed.
 */
export function connectorState({ state, tasks }: Pick<Connector, "state" | "tasks">): {
  word: string;
  tone: BadgeTone;
} {
  if (tasks.some((task) => task.state === "FAILED")) return { word: "task failed", tone: "bad" };
  if (state === null) return { word: "not known", tone: "warn" };
  return { word: state.toLowerCase(), tone: TONES[state] ?? "neutral" };
}
