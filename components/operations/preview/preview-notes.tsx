import { IconAlertTriangle, IconBan, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import type { OperationPreview } from "#contracts/message/operations.ts";
import css from "./preview-dialog.module.css";
import { type PreviewNote, previewNotes } from "./preview-words.ts";

const LOOKS = {
  warn: { icon: IconAlertTriangle, tone: "tone-warn" },
  refused: { icon: IconBan, tone: "tone-bad" },
  ok: { icon: IconCheck, tone: "tone-ok" },
  info: { icon: IconInfoCircle, tone: "muted" },
} as const satisfies Record<PreviewNote["kind"], unknown>;

/** What could go wrong and what will not be done, each with its number. */
export function PreviewNotes({ preview }: { preview: OperationPreview }) {
  const notes = previewNotes(preview);
  if (notes.length === 0) return null;
  return (
    <>
      <h3 className={css.before}>Before you start</h3>
      <ul className={css.notes}>
        {notes.map(({ kind, text, detail }) => {
          const { icon: Icon, tone } = LOOKS[kind];
          return (
            <li key={text}>
              <Icon size={15} className={tone} aria-hidden />
              <span>
                <b>{text}</b>
                {detail !== null && <span className="muted">{detail}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
