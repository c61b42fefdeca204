import { STATE_LOOKS } from "#components/ui/badges/state-badge.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { OperationPreview } from "#contracts/message/operations.ts";
import { capitalize, formatBytes, formatCount, formatPlural } from "#domain/format.ts";
import { MESSAGE_STATES, type MessageState } from "#domain/message/message-state.ts";
import css from "./preview-dialog.module.css";

/** The messages by type and state, most frequent first, with their sum. */
export function PreviewTypes({ preview }: { preview: OperationPreview }) {
  const { types } = preview;
  const states = MESSAGE_STATES.filter((state) => types.some((type) => (type.states[state] ?? 0) > 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={css.types} tabIndex={0} aria-label="Messages by type">
      <table>
        <thead>
          <tr>
            <th scope="col">Type</th>
            {states.map((state) => (
              <th key={state} scope="col">
                {capitalize(STATE_LOOKS[state].word)}
              </th>
            ))}
            <th scope="col">Aggregates</th>
            <th scope="col" className="hide-on-phone">
              Oldest
            </th>
            <th scope="col" className="hide-on-phone">
              Newest
            </th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.eventType ?? ""}>
              <th scope="row">
                {type.eventType === null ? <span className="muted">no type</span> : <TypeName name={type.eventType} />}
              </th>
              {states.map((state) => (
                <td key={state}>{formatCount(type.states[state] ?? 0)}</td>
              ))}
              <td>{formatCount(type.aggregates)}</td>
              <td className="hide-on-phone">
                <Instant at={type.oldestAt} />
              </td>
              <td className="hide-on-phone">
                <Instant at={type.newestAt} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{sumWords(preview)}</th>
            {states.map((state) => (
              <td key={state}>{types.length > 1 && formatCount(sumOf(types, state))}</td>
            ))}
            <td>{types.length > 1 && formatCount(preview.aggregates)}</td>
            <td className="hide-on-phone" colSpan={2} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function sumWords({ types, payloadBytes, read, matching }: OperationPreview): string {
  const bytes = payloadBytes === null ? "" : ` · ${formatBytes(payloadBytes)}`;
  const part = matching.precision === "exact" && read >= matching.value ? "" : `first ${formatCount(read)}: `;
  return `${part}${formatPlural(types.length, "type")}${bytes}`;
}

function sumOf(types: OperationPreview["types"], state: MessageState): number {
  return types.reduce((sum, type) => sum + (type.states[state] ?? 0), 0);
}
