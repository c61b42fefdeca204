import { CopyButton } from "./copy-button.tsx";
import css from "./short-id.module.css";
import { shortenId } from "./shorten-id.ts";

interface ShortIdProps {
  id: string;
  /** Characters kept in front and at the end. */
  head?: number;
  tail?: number;
  /** false leaves the copy button out, for dense rows. */
  copy?: boolean;
}

/** An id with its middle cut, because ids differ at their ends. The whole id is in the title and on the clipboard. */
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
