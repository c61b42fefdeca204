import css from "./kbd.module.css";

/** A key as printed on the keyboard. Hidden from screen readers: the action's name is enough. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className={css.kbd} aria-hidden>
      {children}
    </kbd>
  );
}
