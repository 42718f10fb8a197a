import assert from "node:assert/strict";
import { createAdbClient } from "../../agent/adb/client.ts";
import { systemClock } from "../../agent/time/system_clock.ts";
import type { LieName, LieRates } from "../phone/lies.ts";
import { type PhoneBundle, textsOf, withPhones } from "../testing/with_phones.ts";

const NUMBER = "972501234567";
const ENTRY = "com.whatsapp:id/entry";
const traits = () => ({ language: "en" as const, confirmsShare: false });

Deno.test("dumpHangs: a dump arrives after its caller gave up, or never if it is killed first", () => {
  const lies: LieRates = { dumpHangs: 1 };
  return withPhones({ traits, lies, hangMs: { min: 2_000, max: 2_000 } }, async ({ openChat, shell }) => {
    await openChat(NUMBER, "first");
    const killed = await shell(
      "timeout -s KILL 1 uiautomator dump /sdcard/d.xml; echo $?; ls /sdcard/d.xml; true",
    );
    assert.match(killed, /^137\n/);
    assert.doesNotMatch(killed, /hierarchy/);
    assert.match(await shell("uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml"), /hierarchy/);
  });
});

Deno.test("shellHangs: a command still runs after its caller gave up", () => {
  const hang = hanging("shellHangs");
  return withPhones(hang.options, async (bundle) => {
    const phone = bundle.simulator.phones[0]!;
    await hang.leave(bundle, "input keyevent 224");
    assert.equal(phone.isAwake, false);
    hang.end();
    await bundle.shell("true");
    assert.equal(phone.isAwake, true);
  });
});

Deno.test("tapHangs: a tap whose caller gave up is visible as a process, and is done", () => {
  const hang = hanging("tapHangs");
  return withPhones(hang.options, async (bundle) => {
    await bundle.openChat(NUMBER, "hello");
    await hang.leave(bundle, "input tap 990 2270");
    assert.match(await bundle.shell("pgrep -f 'cmd [i]nput tap'"), /^\d+\n$/);
    assert.equal(bundle.taps().length, 0);
    hang.end();
    await untilStill(bundle);
    assert.equal(bundle.taps().length, 1);
  });
});

Deno.test("startHangs: a start whose caller gave up is visible as a process, and opens its chat", () => {
  const hang = hanging("startHangs");
  return withPhones(hang.options, async (bundle) => {
    const start = `input keyevent 224; wm dismiss-keyguard; am start -a android.intent.action.VIEW ` +
      `-d https://wa.me/${NUMBER}?text=late -p com.whatsapp`;
    await hang.leave(bundle, start);
    assert.match(await bundle.shell("pgrep -f 'cmd [a]ctivity start'"), /^\d+\n$/);
    assert.equal(bundle.simulator.phones[0]!.screen.kind, "home");
    hang.end();
    await untilStill(bundle);
    assert.deepEqual(textsOf(await bundle.dump(), ENTRY), ["late"]);
  });
});

/** Returns phones that tell a lie which hangs. `begun` resolves at the first one; the test decides when it ends. */
function hanging(lie: LieName) {
  const begun = Promise.withResolvers<void>();
  const over = new AbortController();
  return {
    options: {
      traits,
      lies: { [lie]: 1 },
      onLie: () => begun.resolve(),
      sleep: (ms: number, stop?: AbortSignal) =>
        systemClock.sleep(ms, AbortSignal.any([over.signal, ...stop ? [stop] : []])),
      hangMs: { min: 60_000, max: 60_000 },
    },
    end: () => over.abort(),
    /** Runs a command on SIM0001, and waits for its answer until it hangs. */
    async leave({ simulator }: PhoneBundle, command: string): Promise<void> {
      const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
      const patience = new AbortController();
      const asking = adb.shell("SIM0001", command, { timeoutMs: 5_000, signal: patience.signal });
      begun.promise.then(() => patience.abort());
      await assert.rejects(asking, { name: "AbortError" });
    },
  };
}

/** Waits until no process runs on SIM0001. */
async function untilStill({ simulator, shell }: PhoneBundle): Promise<void> {
  while (simulator.phones[0]!.processes.size > 0) await shell("true");
}
