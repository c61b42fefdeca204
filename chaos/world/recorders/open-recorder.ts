import type { SinkKind } from "../../options.ts";
import { startBrokerRecorder } from "./broker-recorder.ts";
import { startHttpRecorder } from "./http-recorder.ts";
import { kafkaRecorder } from "./kafka-recorder.ts";
import { natsRecorder } from "./nats-recorder.ts";
import { rabbitmqRecorder } from "./rabbitmq-recorder.ts";
import type { Recorder, RecorderInput } from "./recorder.ts";
import { redisRecorder } from "./redis-recorder.ts";

/** @throws BrokerUnavailable */
export async function openRecorder(kind: SinkKind, input: RecorderInput): Promise<Recorder> {
  switch (kind) {
    case "http":
      return startHttpRecorder(input);
    case "redis":
      return startBrokerRecorder(redisRecorder(input), input);
    case "nats":
      return startBrokerRecorder(natsRecorder(input), input);
    case "rabbitmq":
      return startBrokerRecorder(rabbitmqRecorder(), input);
    case "kafka":
      return startBrokerRecorder(await kafkaRecorder(input), input);
  }
}
