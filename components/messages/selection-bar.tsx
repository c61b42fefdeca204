import { ActionButton } from "#components/action/action-button.tsx";
import { ACTION_WORDS, SELECTION_ACTIONS } from "#components/action/action-words.ts";
import { planAction } from "#components/action/plan-action.ts";
import { EverythingActions, everythingWords } from "#components/operations/everything/everything-actions.tsx";
import { MOST_AT_ONCE } from "#contracts/message/operations.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import type { MessagesPageModel } from "./list/use-messages-page.ts";
import css from "./selection-bar.module.css";

/** Replaces the toolbar while rows are selected; the only dark surface of the page. */
export function SelectionBar({ page }: { page: MessagesPageModel }) {
  const { selected, selection, list, scope, everything } = page;
  const onPage = list.rows.filter((row) => !row.gone).map((row) => row.message);
  const allSelected = onPage.every((message) => selection.messages.has(message.id));
  const matching = list.list?.matching;
  if (everything.chosen) {
    return (
      <div className={css.bar} role="toolbar" aria-label="Selected messages" data-testid="selection-bar">
        <b aria-live="polite">{everythingWords(matching, "All")} selected</b>
        <button type="button" className={css.link} onClick={() => everything.choose(false)}>
          only the {formatCount(selected.length)}
        </button>
        <button type="button" className={css.link} onClick={() => page.select({ type: "clear" })}>
          clear
        </button>
        <span className={css.actions}>
          <EverythingActions everything={everything} matching={matching} className={css.action} />
        </span>
      </div>
    );
  }
  return (
    <div className={css.bar} role="toolbar" aria-label="Selected messages" data-testid="selection-bar">
      <b aria-live="polite">{formatCount(selected.length)} selected</b>
      {!allSelected && (
        <button type="button" className={css.link} onClick={() => page.select({ type: "add", rows: onPage })}>
          select all {formatPlural(onPage.length, "row")} shown
        </button>
      )}
      {allSelected && page.moreMatch && (
        <button type="button" className={css.link} onClick={() => everything.choose(true)}>
          select {everythingWords(matching)}
        </button>
      )}
      <button type="button" className={css.link} onClick={() => page.select({ type: "clear" })}>
        clear
      </button>
      {selection.full && <span className={css.note}>at most {MOST_AT_ONCE} at once</span>}
      <span className={css.actions}>
        {SELECTION_ACTIONS.map((action) => {
          const plan = planAction(action, selected, scope);
          const part = plan.eligible.length < selected.length && plan.eligible.length > 0;
          return (
            <ActionButton
              key={action}
              action={action}
              className={css.action}
              blocked={plan.blocked}
              showKey
              label={part ? `${ACTION_WORDS[action].verb} ${formatCount(plan.eligible.length)}` : undefined}
              onRun={() => page.askFor(action, selected)}
            />
          );
        })}
      </span>
    </div>
  );
}
