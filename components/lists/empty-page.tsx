import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";

interface EmptyPageProps {
  onFirst: () => void;
  asOf?: ReactNode;
}

/** A later page of a list whose entries have left it, which says nothing about the list. */
export function EmptyPage({ onFirst, asOf }: EmptyPageProps) {
  return (
    <EmptyState title="Nothing is left on this page." action={<Button onClick={onFirst}>First page</Button>}>
      Its entries have left the list; earlier pages may have some.{asOf}
    </EmptyState>
  );
}
