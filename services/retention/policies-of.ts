import type { RetentionRule } from "#db/stores/port/retention.ts";
import { cdcNames } from "../config/cdc-names.ts";
import type { RetentionConfig } from "../config/retention-schema.ts";
import type { OutboxHandle } from "../runtime.ts";

export type RetentionPolicy =
  | { subject: "published"; text: string; rule: RetentionRule }
  | { subject: "archive"; text: string; keepSeconds: number };

export interface PartitionPolicy {
  text: string;
  ahead: number;
  /** Null where none is dropped. */
  drop: RetentionRule | null;
}

/** Policy for the partitions of an outbox; null if they are not managed. */
export function partitionPolicyOf({ name, config }: Pick<OutboxHandle, "name" | "config">): PartitionPolicy | null {
  const { partitions, published } = config.retention;
  if (config.mode === "observe" || !partitions || (partitions.ahead === 0 && !partitions.drop)) return null;
  const drop = partitions.drop && published ? ruleOf({ name, config }, published) : null;
  const dropped = drop ? `, dropped after ${days(drop.keepSeconds)}` : "";
  return { text: `partitions ${partitions.ahead} ahead${dropped}`, ahead: partitions.ahead, drop };
}

/** Retention policies of an outbox by the configuration. Empty while it is only observed. */
export function policiesOf({ name, config }: Pick<OutboxHandle, "name" | "config">): RetentionPolicy[] {
  if (config.mode === "observe") return [];
  const { published, archive } = config.retention;
  const policies: RetentionPolicy[] = [];
  if (published) {
    const rule = ruleOf({ name, config }, published);
    policies.push({ subject: "published", text: `published ${days(rule.keepSeconds)}, then ${rule.how}`, rule });
  }
  if (archive) {
    const keepSeconds = archive.keep / 1000;
    policies.push({ subject: "archive", text: `archive ${days(keepSeconds)}`, keepSeconds });
  }
  return policies;
}

export function ruleOf(
  { name, config }: Pick<OutboxHandle, "name" | "config">,
  published: NonNullable<RetentionConfig["published"]>,
): RetentionRule {
  const reader = config.relay?.source === "cdc" ? cdcNames(name, config.relay.cdc).reader : null;
  return { keepSeconds: published.keepMs / 1000, how: published.how, reader };
}

/** "14 d", "36 h": as the configuration spells it, in whole units. */
export function days(seconds: number): string {
  const hours = seconds / 3600;
  if (hours % 24 === 0) return `${hours / 24} d`;
  return Number.isInteger(hours) ? `${hours} h` : `${Math.round(seconds)} s`;
}
