import type { BadgeTone } from "#components/ui/badge.tsx";

const TONES: Record<string, BadgeTone> = { RUNNING: "ok", PAUSED: "warn", STOPPED: "warn", FAILED: "bad" };

/** A word of Connect as the console writes it, with its colour. */
export function connectorState(state: string | null): { word: string; tone: BadgeTone } {
  if (state === null) return { word: "not known", tone: "warn" };
  return { word: state.toLowerCase(), tone: TONES[state] ?? "neutral" };
}
