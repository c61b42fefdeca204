"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { DEFAULT_COLUMNS, isDefault, type ListColumn, readColumns } from "#components/lists/list-columns.ts";
import { askedAddress } from "#components/ui/page/asked-address.ts";
import { readStored, writeStored } from "#components/ui/page/stored.ts";
import { useAddress } from "../../ui/page/use-address.ts";

const STORAGE_KEY = "outbox-console.columns";

export interface Columns {
  shown: readonly ListColumn[];
  /** undefined: the default ones. */
  choose: (columns: readonly ListColumn[] | undefined) => void;
}

/** Columns of the list: those of the address, which a link or a view names, or else those this browser was set to. */
export function useColumns(): Columns {
  const { params, change } = useAddress();
  const [stored, setStored] = useState<readonly ListColumn[] | undefined>(undefined);
  useEffect(() => setStored(readColumns(readStored(STORAGE_KEY))), []);

  const choose = useCallback(
    (columns: readonly ListColumn[] | undefined) => {
      const own = columns === undefined || isDefault(columns) ? undefined : columns;
      writeStored(STORAGE_KEY, own?.join(","));
      setStored(own);
      if (askedAddress.params().has("columns")) change({ columns: undefined }, "replace");
    },
    [change],
  );
  const named = params.get("columns");
  const inAddress = useMemo(() => readColumns(named), [named]);
  return { shown: inAddress ?? stored ?? DEFAULT_COLUMNS, choose };
}
