import { IconSearch } from "@tabler/icons-react";
import { useModKey } from "#components/shortcuts/use-mod-key.ts";
import { Kbd } from "#components/ui/values/kbd.tsx";
import css from "./search-box.module.css";

/** Looks like a text field and opens the palette, on every page. */
export function SearchBox({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className={css.box} onClick={onOpen} aria-keyshortcuts="Meta+K Control+K">
      <IconSearch className={css.icon} size={17} aria-hidden />
      <span className={css.words}>Find a message, outbox or page</span>
      <Kbd>{`${useModKey()}K`}</Kbd>
    </button>
  );
}
