"use client";

import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { BrandMark } from "../ui/badges/brand-mark.tsx";
import css from "./nav.module.css";
import { isCurrent, type NavCounts, type NavItem, OUTBOX_ITEMS, SYSTEM_ITEMS } from "./nav-items.ts";
import { OutboxPicker } from "./outbox-picker.tsx";
import { useNavCounts } from "./use-nav-counts.ts";

/** Brand, outbox picker and pages; the same in the side bar and in the phone's drawer. */
export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const { name, href } = useOutbox();
  const counts = useNavCounts(name);
  const item = (entry: NavItem) => (
    <NavLink
      key={entry.label}
      item={entry}
      counts={counts}
      href={href(entry.path, entry.params)}
      onNavigate={onNavigate}
    />
  );
  return (
    <nav className={css.nav} aria-label="Pages">
      <Link className={css.brand} href="/" onClick={onNavigate}>
        <BrandMark />
        Outbox Console
      </Link>
      <OutboxPicker />
      {OUTBOX_ITEMS.map(item)}
      <h2 className={css.heading}>System</h2>
      {SYSTEM_ITEMS.map(item)}
    </nav>
  );
}

interface NavLinkProps {
  item: NavItem;
  counts: NavCounts;
  href: string;
  onNavigate: (() => void) | undefined;
}

function NavLink({ item, counts, href, onNavigate }: NavLinkProps) {
  const pathname = usePathname();
  const current = isCurrent(item, pathname, useSearchParams().get("state"));
  const count = item.count?.(counts);
  return (
    <Link className={css.link} href={href} aria-current={current ? "page" : undefined} onClick={onNavigate}>
      {item.label}
      {count !== undefined && <b data-tone={count.tone}>{count.text}</b>}
    </Link>
  );
}
