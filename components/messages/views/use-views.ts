"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readOwnViews, type SavedView, writeOwnViews } from "./saved-views.ts";
import { changeViews, type ViewChange, viewsQuery } from "./views-query.ts";

/** Shared views and those of this browser, with what changes them. */
export function useViews(outbox: string) {
  const client = useQueryClient();
  const shared = useQuery(viewsQuery(outbox));
  const [own, setOwn] = useState(() => readOwnViews(outbox));
  const changing = useMutation({
    mutationFn: (change: ViewChange) => changeViews(outbox, change),
    onSuccess: (list) => client.setQueryData(viewsQuery(outbox).queryKey, list),
  });

  /** Also replaces the view of this name. */
  function keep(view: SavedView, replaced = view.name) {
    const rest = own.filter(({ name }) => name !== view.name && name !== replaced);
    writeOwnViews(outbox, [...rest, view]);
    setOwn(readOwnViews(outbox));
  }

  function drop(name: string) {
    writeOwnViews(
      outbox,
      own.filter((view) => view.name !== name),
    );
    setOwn(readOwnViews(outbox));
  }
  return { shared, own, changing, keep, drop };
}
