/** Parts of a page that can take the focus of an element in them. */
const PLACES =
  "td, th, li, fieldset, form, table, nav, section, [role=dialog], [role=region], [role=toolbar], [tabindex], main";
/** Longer than dialogs take to hand the focus back themselves. */
const WAIT_MS = 40;

/**
 * Keeps the keyboard on the page: when the focused element leaves the document, or is switched off, the focus goes to
 * the nearest part of the page around it, and back to the element once it is on again. Without this the browser drops
 * the focus, and the next Tab begins at the top. Returns a function that ends it.
 */
export function keepFocus(): () => void {
  /** The element that had the focus last, and what is around it; empty once a press has gone elsewhere. */
  let trail: readonly HTMLElement[] = [];
  /** Where the focus is in place of an element that is switched off. */
  let instead: { of: HTMLElement; place: HTMLElement } | null = null;
  let timer: number | undefined;

  function remember(event: FocusEvent): void {
    if (event.target instanceof HTMLElement) trail = outwards(event.target);
  }

  function forget(): void {
    trail = [];
    instead = null;
  }

  /** A press on the element that has the focus already moves nothing, so no event says that it keeps it. */
  function recall(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) trail = outwards(activeElement);
  }

  function look(): void {
    timer = undefined;
    if (instead !== null && document.activeElement !== instead.place) instead = null;
    if (instead !== null && isUsable(instead.of)) {
      const { of } = instead;
      instead = null;
      of.focus({ preventScroll: true });
      return;
    }
    const [last] = trail;
    if (last === undefined || !isDropped()) return;
    if (isUsable(last)) {
      // It was off for less than the wait.
      last.focus({ preventScroll: true });
      return;
    }
    const place = trail.slice(1).find((element) => element.isConnected && element.matches(PLACES)) ?? mainPart();
    if (place === null) return;
    focusPlace(place);
    if (last.isConnected) instead = { of: last, place };
  }

  function lookSoon(): void {
    if (instead === null && (trail[0] === undefined || isUsable(trail[0]))) return;
    timer ??= window.setTimeout(look, WAIT_MS);
  }

  const observer = new MutationObserver(lookSoon);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
  document.addEventListener("focusin", remember);
  document.addEventListener("pointerdown", forget, true);
  document.addEventListener("pointerup", recall, true);
  return () => {
    window.clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("focusin", remember);
    document.removeEventListener("pointerdown", forget, true);
    document.removeEventListener("pointerup", recall, true);
  };
}

/** Parts of a page take the focus only as long as it is in them. */
function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
}

/** The browser has dropped the focus, or left it at an element that takes no keys. */
function isDropped(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.matches(":disabled");
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled");
}

function outwards(element: HTMLElement): HTMLElement[] {
  const around = element.parentElement;
  return around === null ? [element] : [element, ...outwards(around)];
}

function mainPart(): HTMLElement | null {
  return document.querySelector("main");
}
