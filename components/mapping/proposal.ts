import type { MappingPreview, MappingProposal } from "#contracts/outbox/mapping.ts";
import type { MessageState } from "#domain/message/message-state.ts";

/** States that a value may stand for, with the names of their lists in outbox.yaml. */
export const VALUE_STATES = [
  ["pending", "pending"],
  ["in_flight", "inFlight"],
  ["failed", "failed"],
  ["published", "published"],
  ["dead", "dead"],
  ["expired", "expired"],
] as const satisfies readonly (readonly [MessageState, string])[];

type Lifecycle = NonNullable<MappingProposal["lifecycle"]>;
export type LifecycleKind = Lifecycle["kind"];

/** A column for a role; null leaves the role to the recogniser. */
export function withColumn(proposal: MappingProposal, role: string, column: string | null): MappingProposal {
  const { [role]: _, ...others } = proposal.columns;
  return { ...proposal, columns: column === null ? others : { ...others, [role]: column } };
}

export function withKind(proposal: MappingProposal, kind: LifecycleKind | null): MappingProposal {
  const { lifecycle: _, ...others } = proposal;
  return kind === null ? others : { ...others, lifecycle: { kind } };
}

type Value = NonNullable<MappingPreview["values"]>["values"][number];

/** The values with the states that the proposal gives them, before the server has answered. */
export function valuesIn(proposal: MappingProposal | null, values: readonly Value[]): Value[] {
  const { lifecycle } = proposal ?? {};
  const lists = VALUE_STATES.flatMap(([state, list]) => {
    const words = lifecycle?.[list];
    return words ? [{ state, words: new Set<string | null>(words) }] : [];
  });
  if (lists.length === 0) return [...values];
  return values.map((one) => ({
    ...one,
    state: lists.find(({ words }) => words.has(one.value))?.state ?? "unknown",
  }));
}

/** A row without a status is new, or unknown: no list but that of pending may have NULL. */
export const mayMean = (value: string | null, state: MessageState): boolean => value !== null || state === "pending";

/** A value of the status column stands for a state, or for none. The other values keep theirs. */
export function withValue(
  proposal: MappingProposal,
  { values }: Pick<MappingPreview, "values">,
  { value, state }: { value: string | null; state: MessageState | null },
): MappingProposal {
  const shown = valuesIn(proposal, values?.values ?? []).map((one) => ({
    value: one.value,
    state: one.value === value ? state : one.state,
  }));
  const lists = VALUE_STATES.map(([of, list]) => [
    list,
    shown.flatMap((one) => (one.state === of && mayMean(one.value, of) ? [one.value] : [])),
  ]);
  const column = values ? withColumn(proposal, "status", values.column) : proposal;
  return { ...column, lifecycle: { kind: "status", ...Object.fromEntries(lists) } };
}
