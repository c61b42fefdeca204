/**
 * Props of a dialog that stays open while its command is under way: closing it would cancel nothing, and the outcome
 * would be told nowhere.
 */
export function openWhile(pending: boolean) {
  return {
    closeOnEscape: !pending,
    closeOnClickOutside: !pending,
    closeButtonProps: { "aria-label": "Close", disabled: pending },
  };
}
