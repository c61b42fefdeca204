/** Adds the outbox (and other parameters) to a path of the console, keeping the path's own parameters. */
export function outboxHref(
  path: string,
  outbox: string | undefined,
  params: Record<string, string | undefined> = {},
): string {
  const [pathname = "/", query = ""] = path.split("?");
  const search = new URLSearchParams(query);
  if (outbox !== undefined && !search.has("outbox")) search.set("outbox", outbox);
  for (const [name, value] of Object.entries(params)) if (value !== undefined) search.set(name, value);
  const text = search.toString();
  return text ? `${pathname}?${text}` : pathname;
}
