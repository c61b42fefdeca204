import { STATE_LOOKS, StateBadge } from "#components/ui/badges/state-badge.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { MappingPreview } from "#contracts/outbox/mapping.ts";
import { formatCount } from "#domain/format.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import css from "./mapping.module.css";
import { mayMean, VALUE_STATES } from "./proposal.ts";

interface ValuesPanelProps {
  values: NonNullable<MappingPreview["values"]>;
  /** A library's rules also look at other columns: its values cannot be ticked. */
  fixed: boolean;
  onValue: (value: string | null, state: MessageState | null) => void;
}

function stateOf(word: string): MessageState | null {
  return VALUE_STATES.find(([state]) => state === word)?.[0] ?? null;
}

/**
 * The values that were found in the column that marks the state, and the state of each: one tick in a wide window, a
 * choice in a narrow one.
 */
export function ValuesPanel({ values, fixed, onValue }: ValuesPanelProps) {
  const rows = `${values.more ? "newest " : ""}${formatCount(values.read)} rows`;
  return (
    <Panel title={`What ${values.column} says`} aside={`values found in ${rows}`} flush>
      <div className={css.scroll}>
        <table className={css.table}>
          <caption className="visually-hidden">Values of {values.column} and their states</caption>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col" className={css.right}>
                Rows
              </th>
              {!fixed &&
                VALUE_STATES.map(([state]) => (
                  <th key={state} scope="col" className={`${css.tick} ${css.ticked}`}>
                    {STATE_LOOKS[state].word}
                  </th>
                ))}
              {!fixed && (
                <th scope="col" className={css.chosen}>
                  Means
                </th>
              )}
              <th scope="col" className={fixed ? undefined : css.ticked}>
                Shown as
              </th>
            </tr>
          </thead>
          <tbody>
            {values.values.map(({ value, rows: found, state }) => (
              <tr key={value ?? "null"} className={state === "unknown" ? css.unknown : undefined}>
                <th scope="row" className={`mono ${css.value}`}>
                  {value ?? "NULL"}
                </th>
                <td className={css.right}>{formatCount(found)}</td>
                {!fixed &&
                  VALUE_STATES.map(([of]) => (
                    <td key={of} className={`${css.tick} ${css.ticked}`}>
                      <input
                        type="checkbox"
                        aria-label={`${value ?? "NULL"} means ${STATE_LOOKS[of].word}`}
                        checked={state === of}
                        disabled={!mayMean(value, of)}
                        onChange={(event) => onValue(value, event.target.checked ? of : null)}
                      />
                    </td>
                  ))}
                {!fixed && (
                  <td className={css.chosen}>
                    <select
                      className={css.select}
                      aria-label={`What ${value ?? "NULL"} means`}
                      value={state ?? "unknown"}
                      disabled={state === null}
                      onChange={({ target }) => onValue(value, stateOf(target.value))}
                    >
                      <option value="unknown">
                        {state === null ? "by other columns too" : STATE_LOOKS.unknown.word}
                      </option>
                      {VALUE_STATES.filter(([of]) => mayMean(value, of)).map(([of]) => (
                        <option key={of} value={of}>
                          {STATE_LOOKS[of].word}
                        </option>
                      ))}
                    </select>
                  </td>
                )}
                <td className={fixed ? undefined : css.ticked}>
                  {state === null ? <span className="muted">by other columns too</span> : <StateBadge state={state} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
