"use client";

import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { ToolPopover } from "#components/lists/tool-popover.tsx";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import type { MessagesPageModel } from "../list/use-messages-page.ts";
import css from "../toolbar/filter-bar.module.css";
import { openView, type SavedView, viewOf } from "./saved-views.ts";
import { useViews } from "./use-views.ts";
import { ViewForm } from "./view-form.tsx";
import { ViewRow } from "./view-row.tsx";
import { viewsQuery } from "./views-query.ts";

interface ViewsPopoverProps {
  outbox: string;
  page: MessagesPageModel;
  onClose: () => void;
}

/** Views of everybody and of this browser, and a form that saves what is shown. */
export function ViewsPopover({ outbox, page, onClose }: ViewsPopoverProps) {
  const { store } = useLive();
  const { shared, own, changing, keep, drop, problem } = useViews(outbox);
  const sharedFailure = useFailure(viewsQuery(outbox).queryKey);
  const session = useQuery(sessionQuery());
  const mayShare = session.data !== undefined && roleRefusal(session.data, "operator", outbox) === undefined;
  const views = shared.data?.views ?? [];
  const notShared = sharedReason({ mayShare, problem: shared.data?.problem, error: sharedFailure });

  function open(view: SavedView) {
    const { filters, columns } = openView(view, store.serverTime(Date.now()));
    page.openView(filters, columns);
    onClose();
  }

  function save(name: string, forAll: boolean, done: () => void) {
    const view = viewOf(name, page.filters, page.columns.shown);
    if (forAll) changing.mutate({ kind: "save", view }, { onSuccess: done });
    else if (keep(view)) done();
  }

  return (
    <ToolPopover label="Views" width={300} onClose={onClose}>
      {views.length > 0 && <p className={css.heading}>Shared</p>}
      {views.map((view) => (
        <ViewRow
          key={view.id}
          view={view}
          title={`Saved by ${view.createdBy}`}
          fixed={!mayShare}
          onOpen={() => open(view)}
          onRename={(name) => changing.mutate({ kind: "rename", id: view.id, name })}
          onDelete={() => changing.mutate({ kind: "delete", id: view.id })}
        />
      ))}
      {own.length > 0 && <p className={css.heading}>In this browser</p>}
      {own.map((view) => (
        <ViewRow
          key={view.name}
          view={view}
          onOpen={() => open(view)}
          onRename={(name) => keep({ ...view, name }, view.name)}
          onDelete={() => drop(view.name)}
        />
      ))}
      {views.length + own.length === 0 && <p className={css.heading}>No views yet. Save what is shown now:</p>}
      {problem?.of === "list" && <ErrorNote>{problem.text}</ErrorNote>}
      <ViewForm
        notShared={notShared}
        problem={problem?.of === "form" ? problem.text : undefined}
        busy={changing.isPending}
        onSave={save}
      />
    </ToolPopover>
  );
}

interface Sharing {
  mayShare: boolean;
  problem: string | null | undefined;
  error: Error | null;
}

/** Why a view cannot be saved for everybody; undefined if it can. */
function sharedReason({ mayShare, problem, error }: Sharing): string | undefined {
  if (error !== null) return error.message;
  if (typeof problem === "string") return problem;
  return mayShare ? undefined : "Saving for everybody needs the role operator.";
}
