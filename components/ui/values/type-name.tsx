import { parseTypeName } from "#domain/text/type-name.ts";

/** Longer names are shown without namespace and assembly, with the whole name in the title. */
const SHOWN_WHOLE = 22;

/** An event type for people. Filters and links keep the whole name. */
export function TypeName({ name }: { name: string }) {
  const { short, version } = parseTypeName(name);
  if (name.length <= SHOWN_WHOLE || short === name) return <bdi title={name}>{name}</bdi>;
  return (
    <bdi title={name}>
      {short}
      {version !== null && <span className="muted">{` v${version}`}</span>}
    </bdi>
  );
}
