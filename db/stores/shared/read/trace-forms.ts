/** How a column may hold one trace id: bare, as a UUID, or in a `traceparent`. */
export interface TraceForms {
  /** 32 hex digits in lower case. */
  id: string;
  /** With hyphens, as a UUID is written. */
  dashed: string;
  /** Bare and with hyphens, in either case. */
  texts: readonly string[];
  /** Beginning of its `traceparent`, which the specification wants in lower case. */
  parent: string;
  /** A text that sorts after every `traceparent` of the trace, also under a collation that ignores hyphens. */
  behindParent: string;
}

export function traceForms(id: string): TraceForms {
  const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const texts = [...new Set([id, id.toUpperCase(), dashed, dashed.toUpperCase()])];
  return { id, dashed, texts, parent: `00-${id}-`, behindParent: `00-${id}-g` };
}
