import assert from "node:assert/strict";

const PROGRAM = `
  import { stopSignal } from ${JSON.stringify(new URL("stop_signal.ts", import.meta.url))};
  let now = 0;
  const stop = stopSignal(() => now);
  Deno.addSignalListener("SIGINT", () => console.log("signal at", now, stop.aborted));
  console.log("ready");
  await Deno.stdin.read(new Uint8Array(1));
  now = 1000;
  console.log("later");
  setInterval(() => {}, 1000);
`;

Deno.test({
  name: "stopSignal() treats a doubled signal as one press, and a second press as the end",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using program = new Deno.Command(Deno.execPath(), {
      args: ["eval", PROGRAM],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const lines = program.stdout.pipeThrough(new TextDecoderStream()).values();
    const input = program.stdin.getWriter();
    const nextLine = async () => (await lines.next()).value;

    assert.equal(await nextLine(), "ready\n");
    for (let signals = 1; signals <= 2; signals++) {
      program.kill("SIGINT");
      assert.equal(await nextLine(), "signal at 0 true\n");
    }
    await input.write(new Uint8Array(1));
    assert.equal(await nextLine(), "later\n");
    program.kill("SIGINT");
    assert.equal(await nextLine(), undefined);
    assert.equal((await program.status).code, 130);
    await input.close().catch(() => {});
  },
});
