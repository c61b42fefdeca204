import { CopyButton } from "../controls/copy-button.tsx";
import css from "./with-statements.module.css";

/** A sentence with statements between backticks: each is set as code and can be copied, also on a phone. */
export function WithStatements({ text }: { text: string }) {
  const parts = text.split("`");
  // Without its other end a backtick belongs to the text.
  if (parts.length % 2 === 0) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence never move
          <span key={index} className={css.statement}>
            <code>{part}</code> <CopyButton text={part} label="Copy the statement" />
          </span>
        ),
      )}
    </>
  );
}
