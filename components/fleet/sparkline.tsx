import type { Sample } from "#contracts/outbox/snapshot.ts";
import css from "./fleet.module.css";
import { sparklinePaths } from "./sparkline-paths.ts";

const SIZE = { width: 82, height: 18 };

interface SparklineProps {
  samples: readonly Sample[] | undefined;
  fromMs: number;
  toMs: number;
  stepSeconds: number;
}

/** Rates in and out over the last hour on one scale; gaps where there are no samples. The figures are next to it. */
export function Sparkline(props: SparklineProps) {
  const { samples } = props;
  if (samples === undefined) return <span className={css.spark} />;
  const paths = sparklinePaths({ ...props, samples, ...SIZE });
  return (
    <svg className={css.spark} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden>
      <path d={paths.in} stroke="var(--c1)" />
      <path d={paths.out} stroke="var(--c2)" />
    </svg>
  );
}
