import type { SignInNote } from "../_server/sign-in-cookies.ts";
import css from "./sign-in.module.css";

const FORMS = {
  list: "a list",
  text: "one string, which is taken as one value",
  missing: "missing",
  other: "neither a string nor a list",
} as const;

interface SignInNoteProps {
  received: NonNullable<SignInNote["received"]>;
  /** Of whoever matches no rule. */
  fallback: string;
}

/** What the provider said, and which rules were tried, so that one of the two can be corrected. */
export function SignInNotePanel({ received, fallback }: SignInNoteProps) {
  const { claims, rolesClaim, form, values, rules } = received;
  return (
    <dl className={css.note}>
      <dt>Claim that decides the role</dt>
      <dd>
        <code>{rolesClaim}</code> is {FORMS[form]}
        {values.length > 0 && ": "}
        {values.length > 0 && <code>{values.join(", ")}</code>}
      </dd>
      <dt>Rules of auth.roles</dt>
      <dd>
        {rules.length === 0 ? (
          "none"
        ) : (
          <ul>
            {rules.map(({ value, role, outboxes, matched }) => (
              <li key={`${value} ${role} ${outboxes?.join(" ") ?? ""}`}>
                <code>{value}</code> → {role}
                {outboxes && ` of ${outboxes.join(", ")}`}: {matched ? "matches" : "does not match"}
              </li>
            ))}
          </ul>
        )}
      </dd>
      <dt>Whoever matches none</dt>
      <dd>{fallback === "none" ? "has no role" : `is ${fallback}`}</dd>
      <dt>Claims received</dt>
      <dd>
        <code>{claims.join(", ")}</code>
      </dd>
    </dl>
  );
}
