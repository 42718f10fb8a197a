/** Keeps a whole rehearsal as one recording of its phone, redacted as it comes. */
import { parseAccount } from "../phone/phone.ts";
import { type RecordedPhone, recordPhone } from "../recordings/record_phone.ts";
import { keepRecording } from "../recordings/store.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import type { Clock } from "../time/clock.ts";
import { DRAMA_NUMBER } from "./drama_number.ts";
import { type Order, type Recorder, REHEARSED_TEXT } from "./rehearsal.ts";

export interface KeepingOptions {
  agentDir: string;
  clock: Pick<Clock, "now">;
  newId: () => string;
  /** What is known about the screens. @default {what the release knows} */
  words?: ScreenWords;
  /** Called when the recording could not be written: that changes nothing about the rehearsal. */
  onLost(error: unknown): void;
}

/** Returns a recorder for one rehearsal, which writes into the site's folder of recordings. */
export function recorderOf(order: Pick<Order, "to">, options: KeepingOptions): Recorder {
  const { agentDir, clock, newId, words, onLost } = options;
  // They are known when the rehearsal has asked for them.
  const facts = { app: "", user: 0, appVersion: null, androidVersion: null, model: null, language: null };
  let recorded: RecordedPhone | null = null;
  return {
    phone(phone) {
      const delivery = { phone: order.to ?? DRAMA_NUMBER, text: REHEARSED_TEXT, isPicture: false };
      recorded = recordPhone(phone, { facts, delivery, words });
      return recorded.phone;
    },
    step() {},
    async end(report) {
      if (report.account === null) return null;
      const { app, user } = parseAccount(report.account);
      const { appVersion, androidVersion, model, language } = report;
      Object.assign(facts, { app, user, appVersion, androidVersion, model, language });
      // It holds more than one delivery: no single verdict is that of its flows.
      const recording = recorded?.end(null) ?? null;
      try {
        return recording && await keepRecording(agentDir, recording, { now: clock.now(), newId });
      } catch (error) {
        onLost(error);
        return null;
      }
    },
  };
}
