import { AppError } from "#domain/errors.ts";
import { type ActionSwitch, whySwitchedOff } from "#domain/message/action-switch.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";

/** Why the configuration forbids an action on an outbox, naming the setting; null if it does not. */
export function switchRefusal({ config }: Pick<Runtime, "config">, handle: OutboxHandle, action: ActionSwitch) {
  return whySwitchedOff(action, handle.name, {
    readOnly: config.console.readOnly,
    everywhere: config.actions,
    here: handle.config.actions,
  });
}

/** Throws: forbidden. */
export function requireSwitchedOn(
  runtime: Pick<Runtime, "config">,
  handle: OutboxHandle,
  ...actions: readonly ActionSwitch[]
): void {
  for (const action of actions) {
    const refusal = switchRefusal(runtime, handle, action);
    if (refusal !== null) throw new AppError("forbidden", refusal);
  }
}
