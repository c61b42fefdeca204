import { CopyButton } from "../controls/copy-button.tsx";
import css from "./code-block.module.css";

/** Text to copy: SQL, a probe, a command. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={css.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre className={css.code} tabIndex={0}>
        {text}
      </pre>
      <span className={css.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
