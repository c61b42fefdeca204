import { READ_ONLY } from "#domain/message/action-switch.ts";
import type { Actor } from "#domain/operator.ts";
import { hasRole, lacksRole } from "#domain/operator.ts";
import type { Runtime } from "../runtime.ts";

/** Why this person cannot save a mapping into outbox.yaml, as a sentence; null if they can. */
export function saveRefusal({ config, configFile, records }: Runtime, actor: Actor): string | null {
  if (!hasRole(actor, "admin")) return lacksRole(actor, "admin", actor.role);
  if (config.console.readOnly) return READ_ONLY;
  if (!config.console.saveMappings) return "Saving is switched off by console.saveMappings in outbox.yaml.";
  if (!configFile) return "This process does not read outbox.yaml.";
  if (!records)
    return "Saving is recorded in the audit, and there is no console database for it: set console.databaseUrl in outbox.yaml.";
  return configFile.refusal();
}
