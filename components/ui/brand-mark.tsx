import css from "./brand-mark.module.css";

/** A box and what leaves it; for a row beside the name. */
export function BrandMark() {
  return <i className={css.mark} aria-hidden />;
}
