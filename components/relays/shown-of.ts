const FEW = 5;
/** Up to this many are all shown, because hiding so few is not worth a click. */
const TOLERATED = 8;

/** The first few of many, or all of them. */
export function shownOf<T>(items: readonly T[], all: boolean): readonly T[] {
  return all || items.length <= TOLERATED ? items : items.slice(0, FEW);
}
