"use client";

import { Popover } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import css from "./filter-bar.module.css";
import type { FilterField } from "./message-filters.ts";

const FilterForm = dynamic(() => import("./filter-form.tsx").then((module) => module.FilterForm));

export function AddFilter({ onAdd }: { onAdd: (field: FilterField, value: string) => void }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start" width={280}>
      <Popover.Target>
        <button type="button" className={css.quiet} onClick={() => setOpened((current) => !current)}>
          <IconPlus size={12} aria-hidden /> filter
        </button>
      </Popover.Target>
      <Popover.Dropdown p={12}>
        <FilterForm
          onAdd={(field, value) => {
            onAdd(field, value);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
