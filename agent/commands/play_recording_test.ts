import assert from "node:assert/strict";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import { deliver } from "../delivery/deliver.ts";
import { parseRecording } from "../recordings/recording.ts";
import { played } from "./simulate.ts";

function corpus(name: string) {
  return parseRecording(Deno.readTextFileSync(new URL(`../recordings/corpus/${name}.json`, import.meta.url)));
}

async function play(name: string) {
  const recording = corpus(name);
  const { plays, traits } = played(recording);
  const test = await startTestPhone(traits!(0), { plays: plays! });
  const { facts: { app, user }, delivery } = recording;
  const message = {
    phone: delivery!.phone,
    text: delivery!.text,
    imagePath: delivery!.isPicture ? "/sdcard/x.jpg" : null,
  };
  return {
    test,
    deliver: () => deliver(test.phone, { ...ACCOUNT, app, user }, message, test.gate()),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

for (
  const name of [
    "chat_he_android_14",
    "chat_ar_android_11",
    "picture_en",
    "profile_he_work",
    "tablet_he_two_panes",
  ]
) {
  Deno.test(`a simulated phone that plays ${name} is sent to through adb, with one tap in its log`, async () => {
    await using one = await play(name);
    assert.deepEqual(await one.deliver(), { kind: "sent" });
    const { delivery } = corpus(name);
    assert.deepEqual(one.test.taps().map(({ text }) => text), [delivery!.text]);
  });
}

for (
  const [name, end] of Object.entries({
    dialog_en_not_on_app: { kind: "not_on_app" },
    dialog_en_register: { kind: "lost", state: "logged_out" },
    chat_he_other_number: { kind: "not_ready", reason: "chat_not_opened" },
    chat_he_ids_moved: { kind: "unknown_screen" },
  })
) {
  Deno.test(`a simulated phone that plays ${name} gets no tap on send`, async () => {
    await using one = await play(name);
    const { screen: _, ...result } = { screen: null, ...await one.deliver() };
    assert.deepEqual(result, end);
    assert.deepEqual(one.test.taps(), []);
  });
}
