import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./operation-dialog.module.css";
import type { ActionPlan } from "./plan-action.ts";

const SHOWN = 3;

/** Number of messages, their types and aggregates, and the selected messages that the action leaves unchanged. */
export function TargetSummary({ plan }: { plan: ActionPlan }) {
  const { eligible, refused } = plan;
  return (
    <div>
      <dl className={css.facts}>
        <Fact label="Types" values={distinct(eligible, (message) => message.eventType)} />
        <Fact label="Aggregates" values={distinct(eligible, (message) => message.aggregateId)} mono />
      </dl>
      {refused.length > 0 && (
        <p className={css.refused}>
          {formatPlural(refused.length, "selected message")} {refused.length === 1 ? "stays" : "stay"} unchanged:{" "}
          {[...new Set(refused.map((refusal) => refusal.reason))].join(" ")}
        </p>
      )}
    </div>
  );
}

function Fact({ label, values, mono = false }: { label: string; values: readonly string[]; mono?: boolean }) {
  if (values.length === 0) return null;
  const rest = values.length - SHOWN;
  return (
    <div>
      <dt>{label}</dt>
      <dd className={mono ? "mono" : undefined} title={values.slice(0, 50).join("\n")}>
        {values.slice(0, SHOWN).map((value) => (
          <bdi key={value}>{value}</bdi>
        ))}
        {rest > 0 && <span className="muted">and {rest} more</span>}
      </dd>
    </div>
  );
}

function distinct(messages: readonly MessageSummary[], pick: (message: MessageSummary) => string | null): string[] {
  return [...new Set(messages.flatMap((message) => pick(message) ?? []))];
}
