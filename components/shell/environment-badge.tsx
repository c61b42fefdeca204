import css from "./environment-badge.module.css";

/** The one thing that may shout: whether this is production. The word says it, the colour only helps. */
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
