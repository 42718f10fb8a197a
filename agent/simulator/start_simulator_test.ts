import assert from "node:assert/strict";
import { createAdbClient } from "../adb/client.ts";
import { shellQuote } from "../adb/quote.ts";
import { startSimulator } from "./start_simulator.ts";

const options = { timeoutMs: 5_000 };

Deno.test("startSimulator() sends one message by link, dump and guarded tap, and logs it once", async () => {
  const tapLogPath = `${await Deno.makeTempDir()}/taps.jsonl`;
  const simulator = await startSimulator({ devices: 2, speed: Infinity, tapLogPath });
  const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
  const shell = async (command: string) => {
    const result = await adb.shell("SIM0001", command, options);
    assert.equal(result.exitCode, 0, `${command}: ${result.stderr}`);
    return result.stdout;
  };
  try {
    await shell("input keyevent 224; wm dismiss-keyguard; svc power stayon usb");
    const text = "שלום 'לכם' & \"יום\" טוב 🙂\nשורה שנייה 100% +1";
    const link = `https://wa.me/972501234567?text=${encodeURIComponent(text)}`;
    await shell(`am start -a android.intent.action.VIEW -d ${shellQuote(link)} -p com.whatsapp --user 0`);
    const f = "/data/local/tmp/screen.xml";
    const before = await shell(`rm -f ${f}; uiautomator dump ${f} && cat ${f}`);
    const bootId = (await shell("cat /proc/sys/kernel/random/boot_id")).trim();
    const up = Math.floor(Number((await shell("cat /proc/uptime")).split(" ")[0])) + 10;
    const tap = (x: number, y: number) =>
      `read up rest < /proc/uptime; up=\${up%%.*}; if [ "$up" -lt ${up} ] && [ "$(cat /proc/sys/kernel/random/boot_id)" = "${bootId}" ]; then input tap ${x} ${y} && echo tapped; else echo late; fi`;
    assert.equal(await shell(tap(990, 2270)), "tapped\n");
    const taps = (await Deno.readTextFile(tapLogPath)).trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(taps.map((t) => [t.phone, t.text]), [["+972501234567", text]]);
  } finally {
    await simulator.shutdown();
  }
});
