"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { takeAnswer } from "#components/api/take-answer.ts";
import { readOwnViews, type SavedView, writeOwnViews } from "./saved-views.ts";
import { changeViews, type ViewChange, viewsQuery } from "./views-query.ts";

interface Problem {
  /** The form that saves a view, or the list of views. */
  of: "form" | "list";
  text: string;
}

const NOT_KEPT = "This browser keeps nothing for this site: its storage is full or forbidden.";

/** Shared views and those of this browser, with what changes them, and why the last change was refused. */
export function useViews(outbox: string) {
  const client = useQueryClient();
  const shared = useQuery(viewsQuery(outbox));
  const [own, setOwn] = useState(() => readOwnViews(outbox));
  const [problem, setProblem] = useState<Problem | null>(null);
  const changing = useMutation({
    mutationFn: (change: ViewChange) => changeViews(outbox, change),
    onMutate: () => setProblem(null),
    onSuccess: (list) => takeAnswer(client, viewsQuery(outbox).queryKey, list),
    onError: ({ message }, { kind }) => {
      setProblem({ of: kind === "save" ? "form" : "list", text: message });
      // It may be done all the same.
      void client.invalidateQueries({ queryKey: viewsQuery(outbox).queryKey });
    },
  });

  /** `renamed`: the name it had. False if another view has its name. */
  function keep(view: SavedView, renamed?: string): boolean {
    // Another tab may have saved some meanwhile.
    const rest = readOwnViews(outbox).filter(({ name }) => name !== renamed);
    const isTaken = rest.some(({ name }) => name === view.name);
    const isKept = !isTaken && writeOwnViews(outbox, [...rest, view]);
    const text = isTaken ? `There is a view named “${view.name}”; choose another name.` : NOT_KEPT;
    setProblem(isKept ? null : { of: renamed === undefined ? "form" : "list", text });
    setOwn(readOwnViews(outbox));
    return isKept;
  }

  function drop(name: string) {
    const rest = readOwnViews(outbox).filter((view) => view.name !== name);
    writeOwnViews(outbox, rest);
    setProblem(null);
    setOwn(readOwnViews(outbox));
  }
  return { shared, own, changing, keep, drop, problem };
}
