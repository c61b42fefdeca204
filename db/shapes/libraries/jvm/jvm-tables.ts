import type { LibraryTable } from "../library-table-type.ts";
import { blueground } from "./blueground.ts";
import { eventuate, eventuateDbId, eventuateMonitoring, eventuateOffsets, eventuateReceived } from "./eventuate.ts";
import { gruelbox, gruelboxSequence, gruelboxVersion } from "./gruelbox.ts";
import { leonlee } from "./leonlee.ts";
import { namastack, namastackInstances, namastackPartitions } from "./namastack.ts";
import { oncebox, onceboxConsumed, onceboxDeadLetters, onceboxJobs } from "./oncebox.ts";
import { sagaCourse } from "./saga-course.ts";
import { scsOutbox, scsOutboxArchive } from "./scs-outbox.ts";
import { springModulith1, springModulith2, springModulithArchive } from "./spring-modulith.ts";
import { tobby, tobbyProcessed } from "./tobby.ts";
import { tomorrowOne, tomorrowOneLock } from "./tomorrow-one.ts";
import { twTkms, twTkmsEarliest } from "./tw-tkms.ts";

/** Libraries of Java and Kotlin. */
export const jvmTables: readonly LibraryTable[] = [
  blueground,
  eventuate,
  eventuateDbId,
  eventuateMonitoring,
  eventuateOffsets,
  eventuateReceived,
  gruelbox,
  gruelboxSequence,
  gruelboxVersion,
  leonlee,
  namastack,
  namastackInstances,
  namastackPartitions,
  oncebox,
  onceboxConsumed,
  onceboxDeadLetters,
  onceboxJobs,
  sagaCourse,
  scsOutbox,
  scsOutboxArchive,
  springModulith1,
  springModulith2,
  springModulithArchive,
  tobby,
  tobbyProcessed,
  tomorrowOne,
  tomorrowOneLock,
  twTkms,
  twTkmsEarliest,
];
