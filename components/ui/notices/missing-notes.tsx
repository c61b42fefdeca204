import css from "./missing-notes.module.css";

/** What is missing in a list, one sentence each. */
export function MissingNotes({ sentences = [] }: { sentences?: readonly string[] | undefined }) {
  return sentences.map((sentence) => (
    <p key={sentence} className={css.missing} role="status">
      {sentence}
    </p>
  ));
}
