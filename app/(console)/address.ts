import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import type { Runtime } from "#services/runtime.ts";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The outbox that a page is about, as `useOutbox` chooses it. */
export async function chosenOutbox(runtime: Runtime, inAddress: string | undefined): Promise<string | undefined> {
  return inAddress ?? (await listOutboxes({ runtime })).outboxes[0]?.name;
}

/** A parameter of the address; one that is repeated counts as absent. */
export async function addressParam(params: SearchParams, name: string): Promise<string | undefined> {
  const value = (await params)[name];
  return typeof value === "string" ? value : undefined;
}

/** A segment of the address. A hand-typed one may contain a stray per cent sign, and is then taken as it is. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
