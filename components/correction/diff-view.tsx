import { formatPlural } from "#domain/format.ts";
import css from "./correction.module.css";
import { type DiffLine, diffLines } from "./line-diff.ts";

/** What is different, line by line; the signs say it without colour. */
export function DiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const lines = diffLines(before, after);
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  const [added, removed] = [count("added"), count("removed")];
  return (
    <figure className={css.diff} data-testid="diff">
      <figcaption>
        <b>{label}</b>{" "}
        <span className="muted">
          {added + removed === 0
            ? "as the original's"
            : `${formatPlural(added, "line")} added, ${formatPlural(removed, "line")} removed`}
        </span>
      </figcaption>
      {added + removed > 0 && (
        <pre>
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <span key={place} data-kind={line.kind}>
              <i>{SIGNS[line.kind]}</i>
              {line.text}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </figure>
  );
}

const SIGNS: Record<DiffLine["kind"], string> = { same: " ", removed: "−", added: "+" };
