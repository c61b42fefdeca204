import { Instant } from "#components/ui/values/instant.tsx";
import type { Attempt, MessageDetail } from "#contracts/message/messages.ts";
import { formatMs } from "#domain/format.ts";
import { cutText } from "#domain/text/cut-text.ts";
import css from "./attempt-timeline.module.css";

const OUTCOME_WORDS: Record<Attempt["outcome"], string> = {
  published: "published",
  failed: "failed",
  dead: "dead after this attempt",
  given_back: "not counted: the sink was to blame",
};

/** Newest first; the first error stays at the end, because later ones often only echo it. */
export function AttemptTimeline({ detail }: { detail: MessageDetail }) {
  const { message } = detail;
  const attempts = [...detail.attempts].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  const total = message.attempts === null ? "" : `${message.attempts}${limitWords(message.maxAttempts)}`;
  return (
    <section aria-label="Attempts">
      <div className={css.head}>
        <h2>Attempts</h2>
        <span className="muted">{total}</span>
      </div>
      {attempts.length === 0 ? (
        <p className="muted">{emptyWords(message)}</p>
      ) : (
        <ol className={css.line} data-testid="attempts">
          {attempts.map((attempt) => (
            <AttemptEntry key={`${attempt.number} ${attempt.startedAt}`} attempt={attempt} />
          ))}
        </ol>
      )}
      {detail.firstError !== null && !attempts.some((attempt) => attempt.first) && (
        <p className={css.firstError}>
          <span className="muted">First error:</span> {detail.firstError}
        </p>
      )}
    </section>
  );
}

function AttemptEntry({ attempt }: { attempt: Attempt }) {
  const facts = [
    attempt.code ?? OUTCOME_WORDS[attempt.outcome],
    attempt.durationMs === null ? "" : `in ${formatMs(attempt.durationMs)}`,
  ];
  const where = [attempt.relay, attempt.sink].filter((part) => part !== null);
  return (
    <li data-outcome={attempt.outcome}>
      <div>
        <b>
          <Instant at={attempt.startedAt} />
        </b>{" "}
        {[facts.filter(Boolean).join(" "), ...where].join(" · ")}
        {attempt.code !== null && attempt.outcome === "given_back" && (
          <span className="muted"> {OUTCOME_WORDS.given_back}</span>
        )}
        {attempt.code !== null && attempt.outcome === "dead" && (
          <span className="tone-dead"> {OUTCOME_WORDS.dead}</span>
        )}
        {attempt.first && attempt.error !== null && <span className="muted"> first error</span>}
      </div>
      {attempt.error !== null && <AttemptError text={attempt.error} />}
    </li>
  );
}

const LONG_ERROR = 240;

function AttemptError({ text }: { text: string }) {
  if (text.length <= LONG_ERROR) return <div className={css.error}>{text}</div>;
  return (
    <details className={css.error}>
      <summary>
        <span className={css.beginning}>{cutText(text, LONG_ERROR)}…</span>
        <span className={css.less}>Show less</span>
      </summary>
      {text}
    </details>
  );
}

function limitWords(maxAttempts: number | null): string {
  return maxAttempts === null ? "" : ` of ${maxAttempts}`;
}

function emptyWords({ attempts, publishedAt }: MessageDetail["message"]): string {
  if (attempts === null) return "This table does not record attempts.";
  if (publishedAt !== null && attempts === 0) return "No attempt has failed.";
  return attempts === 0 ? "Not tried yet." : "The table counts attempts but does not record each one.";
}
