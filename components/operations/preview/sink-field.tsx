import { NativeSelect } from "@mantine/core";
import type { OperationPreview } from "#contracts/message/operations.ts";

type Sinks = OperationPreview["sinks"];

/** The sink to which messages are re-published: the one chosen, else the relay's own; undefined while none is. */
export function sinkOf({ sinks }: Pick<OperationPreview, "sinks">, chosen: string | undefined): string | undefined {
  return sinks.find(({ name, own }) => (chosen === undefined ? own : name === chosen))?.name;
}

interface SinkFieldProps {
  /** Empty until the preview was read. */
  sinks: Sinks;
  sink: string | undefined;
  onChoose: (sink: string) => void;
}

export function SinkField({ sinks, sink, onChoose }: SinkFieldProps) {
  return (
    <NativeSelect label="To" value={sink ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
      {sink === undefined && <option value="">{sinks.length === 0 ? "" : "Choose a sink"}</option>}
      {sinks.map(({ name, kind, own }) => (
        <option key={name} value={name}>
          {name} ({kind}
          {own ? ", as before" : ""})
        </option>
      ))}
    </NativeSelect>
  );
}
