import { WithStatements } from "#components/ui/values/with-statements.tsx";
import type { Why } from "#contracts/message/messages.ts";
import type { useMessage } from "./queries/use-message.ts";
import css from "./why-box.module.css";

/** The summary in one sentence, then every further reason with its evidence and the safe next step. */
export function WhyBox({ why }: { why: ReturnType<typeof useMessage>["why"] }) {
  if (why === undefined) return null;
  if (why.isPending) return <div className={css.box} aria-busy data-waiting />;
  if (why.data === undefined) {
    return (
      <section className={css.box} aria-label="Why is it not moving?">
        <h2>Why is it not moving?</h2>
        <p>Not known: {why.error?.message ?? "the server did not say."}</p>
      </section>
    );
  }
  const { summary, reasons } = why.data;
  const [first, ...others] = reasons;
  return (
    <section className={css.box} aria-label="Why is it not moving?" data-testid="why">
      <h2>Why is it not moving?</h2>
      <p>
        {summary} {first !== undefined && <ReasonWords reason={first} summary={summary} />}
      </p>
      {others.length > 0 && (
        <ul className={css.reasons}>
          {others.map((reason) => (
            <li key={reason.rule + reason.text}>
              <ReasonWords reason={reason} summary={summary} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ReasonWords({ reason, summary }: { reason: Why["reasons"][number]; summary: string }) {
  return (
    <>
      {reason.text !== summary && `${reason.text} `}
      {reason.evidence !== "" && <span className={css.evidence}>{reason.evidence} </span>}
      {reason.next !== null && (
        <span className={css.next}>
          <WithStatements text={reason.next} />
        </span>
      )}
    </>
  );
}
