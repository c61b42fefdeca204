import type { LogColumn } from "./row-reader.ts";

/** Events of the binary log, as far as they are read; names and fields are those of the client library. */
export type LogEvent =
  | (EventHeader & { kind: "rotate"; binlogName: string; position: number })
  /** At the start of a file, and of what a connection receives; its time is when the file was created. */
  | (EventHeader & { kind: "format" })
  | (EventHeader & { kind: "gtid"; gtid: string | null; preparesXa: boolean })
  | (EventHeader & { kind: "query"; query: string })
  | (EventHeader & { kind: "xid" })
  | (EventHeader & { kind: "xaprepare"; onePhase: boolean })
  | (EventHeader & { kind: "heartbeat"; binlogName: string; position: number })
  | (EventHeader & { kind: "tablemap"; tableId: number; columns: readonly LogColumn[] | null })
  | (EventHeader & { kind: "rows"; tableId: number; rows: readonly Readonly<Record<string, unknown>>[] });

interface EventHeader {
  /** Of the start of its statement, ms since 1970, in whole seconds; 0 for events that are in no file. */
  timestampMs: number;
  /** Where it ends in its file; 0 if unknown. */
  end: number;
  bytes: number;
}

/** Events to ask the client library for. Other tables' rows, and updates and deletes, are skipped unread. */
export const INCLUDED_EVENTS = [
  ...["rotate", "format", "gtid", "anonymousgtid", "mariadbgtid", "query", "xid", "xaprepare", "heartbeat", "tablemap"],
  ...["writerows", "transactionpayload"],
];

/** What the library hands over; the fields depend on the event. */
export interface LibraryEvent {
  getEventName(): string;
  timestamp: number;
  nextPosition: number;
  size: number;
  gtid?: string;
  query?: string;
  binlogName?: string;
  position?: number;
  tableId?: number;
  rows?: readonly Readonly<Record<string, unknown>>[];
  columnNames?: readonly string[];
  columnTypes?: readonly number[];
  preparedXa?: boolean;
  onePhase?: boolean;
  hasSelfDescribingMetadata?(): boolean;
}

/** Null for an event that does not matter. */
export function toLogEvent(event: LibraryEvent): LogEvent | null {
  const header = { timestampMs: event.timestamp, end: event.nextPosition, bytes: event.size };
  switch (event.getEventName()) {
    case "rotate":
      return { ...header, kind: "rotate", binlogName: event.binlogName ?? "", position: event.position ?? 0 };
    case "format":
      return { ...header, kind: "format" };
    case "heartbeat":
      return {
        ...header,
        kind: "heartbeat",
        binlogName: event.binlogName ?? "",
        position: event.position ?? event.nextPosition,
      };
    case "anonymousgtid":
      return { ...header, kind: "gtid", gtid: null, preparesXa: false };
    case "gtid":
    case "mariadbgtid":
      return { ...header, kind: "gtid", gtid: event.gtid ?? null, preparesXa: event.preparedXa === true };
    case "query":
      return { ...header, kind: "query", query: event.query ?? "" };
    case "xid":
      return { ...header, kind: "xid" };
    case "xaprepare":
      return { ...header, kind: "xaprepare", onePhase: event.onePhase === true };
    case "tablemap": {
      const named = event.hasSelfDescribingMetadata?.() === true;
      return {
        ...header,
        kind: "tablemap",
        tableId: event.tableId ?? 0,
        columns: named ? columnsOf(event) : null,
      };
    }
    case "writerows":
      return { ...header, kind: "rows", tableId: event.tableId ?? 0, rows: event.rows ?? [] };
    default:
      return null;
  }
}

function columnsOf({ columnNames = [], columnTypes = [] }: LibraryEvent): LogColumn[] {
  return columnNames.map((name, index) => ({ name, type: columnTypes[index] ?? 0 }));
}
