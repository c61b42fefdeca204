import { outboxHref } from "#components/outbox/outbox-href.ts";
import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { OUTBOX_ITEMS, SYSTEM_ITEMS } from "./nav-items.ts";

export interface PaletteEntry {
  label: string;
  kind: "page" | "outbox" | "search";
  href: string;
}

interface PaletteInput {
  text: string;
  outboxes: readonly Pick<OutboxSummary, "name">[];
  href: (path: string, params?: Record<string, string | undefined>) => string;
}

const MIN_SEARCH_LENGTH = 2;

/** Entries for the typed words, best first: pages and outboxes that contain them, then messages by id. */
export function findPaletteEntries({ text, outboxes, href }: PaletteInput): PaletteEntry[] {
  const words = text.trim().toLowerCase();
  const pages = [...OUTBOX_ITEMS, ...SYSTEM_ITEMS].map((item) => ({
    label: item.label,
    kind: "page" as const,
    href: href(item.path, item.params),
  }));
  const others = outboxes.map(({ name }) => ({ label: name, kind: "outbox" as const, href: outboxHref("/", name) }));
  if (others.length > 1) others.unshift({ label: "All outboxes", kind: "outbox", href: "/" });
  const known = [...pages, ...others].filter((entry) => entry.label.toLowerCase().includes(words));
  return words.length < MIN_SEARCH_LENGTH ? known : [...known, ...searchEntries(text.trim(), href)];
}

function searchEntries(text: string, href: PaletteInput["href"]): PaletteEntry[] {
  return [
    { label: `Open message ${text}`, kind: "search", href: href(`/messages/${encodeURIComponent(text)}`) },
    {
      label: `Messages with id, aggregate or type ${text}`,
      kind: "search",
      href: href("/messages", { state: "all", q: text }),
    },
  ];
}
