import css from "./environment-badge.module.css";

/** Whether this is production, deliberately conspicuous. The word carries the meaning, the colour supports it. */
export function EnvironmentBadge({ environment }: { environment: string | null | undefined }) {
  if (!environment) return null;
  return (
    <span className={css.badge} data-kind={kindOf(environment)} title="Environment">
      {environment}
    </span>
  );
}

function kindOf(environment: string): "production" | "staging" | "other" {
  if (/^prod/i.test(environment)) return "production";
  return /^(stag|pre|uat)/i.test(environment) ? "staging" : "other";
}
