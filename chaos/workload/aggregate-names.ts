export function aggregateName(index: number): string {
  return `a-${String(index).padStart(6, "0")}`;
}

/** Scheduled messages have separate aggregates: they are sent when due, not in order. */
export function scheduledName(index: number): string {
  return `s-${String(index).padStart(6, "0")}`;
}

/** Every aggregate of a run. */
export function aggregateNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => [aggregateName(index), scheduledName(index)]).flat();
}
