import { Panel } from "#components/ui/page/panel.tsx";
import type { MappingPreview } from "#contracts/outbox/mapping.ts";
import css from "./mapping.module.css";
import type { LifecycleKind } from "./proposal.ts";
import { shortType } from "./short-type.ts";

interface RolesPanelProps {
  preview: MappingPreview;
  onColumn: (role: string, column: string | null) => void;
  onKind: (kind: LifecycleKind | null) => void;
}

const KINDS: readonly [LifecycleKind, string][] = [
  ["timestamp", "a time that is set"],
  ["status", "a word or a number"],
  ["flag", "a boolean that is true"],
  ["delete", "its row is deleted"],
];

/** Which column plays which role, and how the table marks what was published. */
export function RolesPanel({ preview, onColumn, onKind }: RolesPanelProps) {
  const { roles, columns, lifecycle } = preview;
  return (
    <Panel
      title="Which column is what"
      aside={`${roles.filter(({ column }) => column !== null).length} of ${roles.length} roles`}
      flush
    >
      <table className={css.table}>
        <caption className="visually-hidden">Roles and their columns</caption>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Column</th>
            <th scope="col" className={css.wide}>
              Type
            </th>
            <th scope="col" className={css.wide}>
              From
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className={css.required}>
              published by
            </th>
            <td colSpan={3}>
              <select
                className={css.select}
                aria-label="How a published message is marked"
                value={KINDS.some(([kind]) => kind === lifecycle.kind) ? lifecycle.kind : ""}
                onChange={(event) => onKind(event.target.value === "" ? null : (event.target.value as LifecycleKind))}
              >
                <option value="">as recognised: {lifecycle.kind}</option>
                {KINDS.map(([kind, words]) => (
                  <option key={kind} value={kind}>
                    {words}
                  </option>
                ))}
              </select>
            </td>
          </tr>
          {roles.map(({ role, column, required, configured }) => (
            <tr key={role}>
              <th scope="row" className={required ? css.required : undefined}>
                {role}
                {configured && <small className={css.narrow}>chosen</small>}
              </th>
              <td>
                <select
                  className={css.select}
                  aria-label={`Column of ${role}`}
                  value={column ?? ""}
                  data-empty={column === null || undefined}
                  onChange={(event) => onColumn(role, event.target.value === "" ? null : event.target.value)}
                >
                  <option value="">{column === null ? "no column" : "as recognised"}</option>
                  {columns.map(({ name, type }) => (
                    <option key={name} value={name}>
                      {name === column ? name : `${name} · ${shortType(type)}`}
                    </option>
                  ))}
                </select>
              </td>
              <td className={`${css.wide} ${css.type}`}>
                {shortType(columns.find(({ name }) => name === column)?.type ?? "")}
              </td>
              <td className={`${css.wide} muted`}>{column === null ? "" : configured ? "chosen" : "recognised"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
