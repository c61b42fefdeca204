/** A monitor renews its lease every 2.5 s; one that has not for this long counts as gone. */
export const MONITOR_SILENT_SECONDS = 30;
