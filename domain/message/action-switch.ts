import type { BulkAction } from "./bulk-operation.ts";

/**
 * What a configuration can switch off, everywhere or for one outbox. `bulk`: operations over more than 100 messages or
 * a filter. `pause`: pausing and resuming a relay. `connector`: the actions on a connector of Debezium.
 */
export const ACTION_SWITCHES = [
  "retry",
  "dead-letter",
  "archive",
  "restore",
  "purge",
  "republish",
  "correct",
  "bulk",
  "pause",
  "connector",
] as const satisfies readonly (BulkAction | "correct" | "bulk" | "pause" | "connector")[];
export type ActionSwitch = (typeof ACTION_SWITCHES)[number];

/** Off where false; everything else is on. */
export type ActionSwitches = Partial<Record<ActionSwitch, boolean>>;

/** The sentence of a console that changes nothing. */
export const READ_ONLY = "This console is read-only: console.readOnly is true in its configuration.";

/** Why an action is switched off on an outbox, naming the setting; null if it is on. */
export function whySwitchedOff(
  action: ActionSwitch,
  outbox: string,
  { readOnly, everywhere, here }: { readOnly: boolean; everywhere: ActionSwitches; here: ActionSwitches },
): string | null {
  if (readOnly) return READ_ONLY;
  if (everywhere[action] === false) return off(`actions.${action}`);
  return here[action] === false ? off(`outboxes.${outbox}.actions.${action}`) : null;
}

function off(setting: string): string {
  return `Switched off: ${setting} is false in the configuration.`;
}
