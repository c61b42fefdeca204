import type { DatabaseUse } from "../../port/doctor.ts";

/** Connection limits apply per role and server, so uses with the same server and user are counted together. */
export function groupByLogin(uses: readonly DatabaseUse[]): DatabaseUse[][] {
  const login = ({ url }: DatabaseUse) => {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    return parsed ? `${parsed.username}@${parsed.host}` : url;
  };
  return [...Map.groupBy(uses, login).values()];
}
