import type { LibraryCase } from "../library-case.fixture.ts";
import { bluegroundCase } from "./blueground.case.ts";
import { eventuateCase, eventuateDbIdCase } from "./eventuate.case.ts";
import { gruelboxCase } from "./gruelbox.case.ts";
import { leonleeCase } from "./leonlee.case.ts";
import { namastackCase } from "./namastack.case.ts";
import { onceboxCases } from "./oncebox.case.ts";
import { sagaCourseCase } from "./saga-course.case.ts";
import { scsOutboxCase } from "./scs-outbox.case.ts";
import { springModulith1Case, springModulith2Case } from "./spring-modulith.case.ts";
import { tobbyCase } from "./tobby.case.ts";
import { tomorrowOneCase } from "./tomorrow-one.case.ts";
import { twTkmsCase } from "./tw-tkms.case.ts";

export const jvmCases: readonly LibraryCase[] = [
  tobbyCase,
  bluegroundCase,
  eventuateCase,
  eventuateDbIdCase,
  gruelboxCase,
  leonleeCase,
  namastackCase,
  ...onceboxCases,
  sagaCourseCase,
  scsOutboxCase,
  springModulith1Case,
  springModulith2Case,
  tomorrowOneCase,
  twTkmsCase,
];
