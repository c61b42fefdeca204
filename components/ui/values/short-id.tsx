import { CopyButton } from "../controls/copy-button.tsx";
import { shortenId } from "../format/shorten-id.ts";
import css from "./short-id.module.css";

interface ShortIdProps {
  id: string;
  /** Characters kept at the start and the end. */
  head?: number;
  tail?: number;
  /** false hides the copy button, for dense rows. */
  copy?: boolean;
}

/** An id shortened in the middle, because ids differ at their ends. The title and the clipboard have the whole id. */
export function ShortId({ id, head = 8, tail = 4, copy = true }: ShortIdProps) {
  return (
    <span className={css.id}>
      <span className="mono" title={id}>
        {shortenId(id, head, tail)}
      </span>
      {copy && <CopyButton text={id} label={`Copy id ${id}`} />}
    </span>
  );
}
