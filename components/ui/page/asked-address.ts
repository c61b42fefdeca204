/**
 * Parameters that the page has put into the address and the router has not rendered yet, oldest first. Until it has, it
 * may write an older address back: what a key or a click decides must not be read from there.
 */
let asked: { path: string; queries: readonly string[] } = { path: "", queries: [] };
/** Path and parameters last rendered; every user of the address reports them. */
let lastRendered = "";

export const askedAddress = {
  /** The parameters last asked for, or else those of the address. */
  params(): URLSearchParams {
    const { pathname, search } = window.location;
    return new URLSearchParams(asked.path === pathname ? (asked.queries.at(-1) ?? search) : search);
  },
  ask(query: string): void {
    const { pathname } = window.location;
    asked = { path: pathname, queries: [...(asked.path === pathname ? asked.queries : []), query] };
  },
  /** The router has rendered these parameters. Others than those asked for come from a link. */
  rendered(query: string): void {
    const rendered = `${window.location.pathname}?${query}`;
    if (rendered === lastRendered) return;
    lastRendered = rendered;
    const index = asked.queries.indexOf(query);
    asked = { ...asked, queries: index < 0 ? [] : asked.queries.slice(index + 1) };
  },
  /** For the back button. */
  forget(): void {
    asked = { path: "", queries: [] };
  },
};
