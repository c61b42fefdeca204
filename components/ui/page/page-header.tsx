import type { ReactNode } from "react";
import css from "./page-header.module.css";

interface PageHeaderProps {
  title: ReactNode;
  /** One sentence: what this page answers. */
  lead?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <div className={css.header}>
      <div className={css.words}>
        <h1 className={css.title}>{title}</h1>
        {lead !== undefined && <p className={css.lead}>{lead}</p>}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
