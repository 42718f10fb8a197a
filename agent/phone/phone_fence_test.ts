import assert from "node:assert/strict";
import { startTestPhone } from "../testing/test_phone.ts";
import { type Phone, PhoneCommandError } from "./phone.ts";
import { PhoneBusyError, takePhoneFence } from "./phone_fence.ts";

const TAP = "input tap 10 10";
/** The step for the half minutes of waiting for an earlier command. */
const WAITING_STEP_MS = 200;

Deno.test("touch() runs under its fence and does nothing once the next one was taken", async () => {
  await using test = await startTestPhone();
  const first = await takePhoneFence(test.phone);
  await first.touch("input keyevent 224");
  assert.equal(test.inside.isAwake, true);
  const second = await takePhoneFence(test.phone);
  await assert.rejects(first.touch("input keyevent 223"), PhoneCommandError);
  assert.equal(test.inside.isAwake, true);
  await second.touch("input keyevent 223");
  assert.equal(test.inside.isAwake, false);
});

Deno.test("takePhoneFence() waits for a command of the previous fence that still runs", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 5_000, max: 5_000 } });
  const first = await takePhoneFence(test.impatient);
  test.lies.tapHangs = 1;
  await assert.rejects(first.touch(TAP));
  assert.ok(test.inside.processes.size > 0);
  await takePhoneFence(test.phone);
  assert.deepEqual([...test.inside.processes], []);
});

Deno.test("takePhoneFence() fails on a phone without room to write the fence", async () => {
  await using test = await startTestPhone();
  const full: Phone = {
    ...test.phone,
    run: (command) => test.phone.run(command.replace("cat /proc/sys/kernel/random/uuid", "echo -n")),
  };
  await assert.rejects(takePhoneFence(full), PhoneCommandError);
});

Deno.test("takePhoneFence() gives up on a phone whose earlier command does not end", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 60_000, max: 60_000 } });
  const first = await takePhoneFence(test.impatient);
  test.lies.tapHangs = 1;
  await assert.rejects(first.touch(TAP));
  test.clock.stepMs = WAITING_STEP_MS;
  await assert.rejects(takePhoneFence(test.phone), PhoneBusyError);
});

Deno.test("takePhoneFence() finds a touch by its script, and by its process name on each kind of Android", async () => {
  await using test = await startTestPhone();
  test.clock.stepMs = WAITING_STEP_MS;
  for (
    const commandLine of [
      "cmd input tap 990 2270",
      "app_process /system/bin com.android.commands.input.Input tap 990 2270",
      "cmd activity start -a android.intent.action.VIEW",
      '/system/bin/sh -c if [ "$(cat /data/local/tmp/shigur-turn)" = "x" ]; then input tap 990 2270; fi',
    ]
  ) {
    test.inside.processes.set(1, commandLine);
    await assert.rejects(takePhoneFence(test.phone), PhoneBusyError, commandLine);
    test.inside.processes.delete(1);
  }
});
