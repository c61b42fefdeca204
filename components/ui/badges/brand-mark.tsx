import css from "./brand-mark.module.css";

/** The mark next to the product name: a box, and a line that leaves it. */
export function BrandMark() {
  return <i className={css.mark} aria-hidden />;
}
