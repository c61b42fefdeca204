import { formatFigure } from "#components/ui/format/format-figure.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";

export interface NavCounts {
  stuck: number | undefined;
  stuckFails: boolean;
  /** Number of open failure groups. */
  failures: number | undefined;
  /** Operations that have not ended, of any outbox; `halted` if one of them waits for a person. */
  operations: number;
  /** False if there may be others, because a store did not answer. */
  operationsWhole: boolean;
  operationsHalted: boolean;
  /** Number of open incidents. */
  incidents: number | undefined;
  snapshot: Snapshot | undefined;
}

export interface NavItem {
  label: string;
  path: string;
  /** The item's parameters in addition to the outbox. */
  params?: Record<string, string>;
  count?: (counts: NavCounts) => { text: string; tone: "quiet" | "bad" | "dead" } | undefined;
}

const failureCount: NavItem["count"] = ({ failures }) =>
  failures ? { text: String(failures), tone: "quiet" } : undefined;

const stuckCount: NavItem["count"] = ({ stuck, stuckFails }) =>
  stuck ? { text: String(stuck), tone: stuckFails ? "bad" : "quiet" } : undefined;

const deadCount: NavItem["count"] = ({ snapshot }) => {
  const dead = snapshot?.counts.dead;
  if (dead === undefined || dead.value === 0 || dead.precision === "unknown") return undefined;
  return { text: formatFigure(dead), tone: "dead" };
};

const relayCount: NavItem["count"] = ({ snapshot }) => {
  const relays = snapshot?.relays;
  return relays ? { text: String(relays.alive), tone: relays.alive === 0 ? "bad" : "quiet" } : undefined;
};

const operationCount: NavItem["count"] = ({ operations, operationsWhole, operationsHalted }) =>
  operations > 0
    ? { text: `${operations}${operationsWhole ? "" : "+"}`, tone: operationsHalted ? "bad" : "quiet" }
    : undefined;

const incidentCount: NavItem["count"] = ({ incidents }) =>
  incidents ? { text: String(incidents), tone: "bad" } : undefined;

/** The console's pages, in the order in which an incident needs them. */
export const OUTBOX_ITEMS: readonly NavItem[] = [
  { label: "Overview", path: "/" },
  { label: "Messages", path: "/messages" },
  { label: "Live", path: "/live" },
  { label: "Failures", path: "/failures", count: failureCount },
  { label: "Stuck", path: "/stuck", count: stuckCount },
  { label: "Blocked", path: "/blocked" },
  { label: "Inbox", path: "/inbox" },
  { label: "Dead letters", path: "/messages", params: { state: "dead" }, count: deadCount },
  { label: "Archive", path: "/messages", params: { state: "archived" } },
];

export const SYSTEM_ITEMS: readonly NavItem[] = [
  { label: "Relays", path: "/relays", count: relayCount },
  { label: "Operations", path: "/operations", count: operationCount },
  { label: "Incidents", path: "/incidents", count: incidentCount },
  { label: "Storage", path: "/storage" },
  { label: "Audit", path: "/audit" },
  { label: "Settings", path: "/settings" },
];

/** Dead letters and Archive are Messages with a state in the address; only one of the three is current. */
export function isCurrent(item: NavItem, pathname: string, state: string | null): boolean {
  if (item.path === "/") return pathname === "/";
  if (pathname !== item.path && !pathname.startsWith(`${item.path}/`)) return false;
  const claimed = OUTBOX_ITEMS.some((other) => other.params?.state !== undefined && other.params.state === state);
  return item.params === undefined ? item.path !== "/messages" || !claimed : item.params.state === state;
}
