/** The packed client in a Node program: npm installs it, its types hold, and the examples run against a real edge. */
import assert from "node:assert/strict";
import { openTestApp } from "../edge/testing/test_app.ts";
import { serve } from "../edge/http/serve.ts";
import { addWebhook } from "../edge/testing/webhook_acts.ts";
import { sendDueWebhooks } from "../edge/webhooks/run_webhooks.ts";
import { packClient } from "../client/pack.ts";

const examples = new URL("../client/examples/", import.meta.url).pathname;
const TYPED = `import { eventsOf, Shigur, verifyWebhook } from "@shigur/client";
const shigur = new Shigur({ url: "http://x", key: "y" });
export async function run() {
  const { id } = await shigur.call("createCampaign", { form: { name: "a", message: "b" } });
  const status: string = (await shigur.call("readCampaign", { path: { id } })).status;
  for (const event of eventsOf(await verifyWebhook({ body: "", headers: {}, secret: "" }))) {
    if (event.type === "message.sent") console.log(event.data.to, status);
  }
  // @ts-expect-error: there is no such call
  await shigur.call("launchCampaign", {});
}
`;

async function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd, env }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(success, `${command} ${args.join(" ")}: ${out}\n${err}`);
  return out!;
}

Deno.test("npm installs the packed client, and the examples send one message and take its webhooks", async () => {
  const folder = await Deno.makeTempDir();
  await using edge = await openTestApp();
  // The receiver has the machine's clock.
  edge.clock.now = Date.now();
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  let receiver: Deno.ChildProcess | undefined;
  try {
    await packClient(`${folder}/shigur-client.tgz`);
    await Deno.writeTextFile(
      `${folder}/package.json`,
      '{"name": "program", "private": true, "type": "module"}',
    );
    await run("npm", ["install", "--no-audit", "--no-fund", "--offline", "./shigur-client.tgz"], folder);
    const installed = [...Deno.readDirSync(`${folder}/node_modules`)].map(({ name }) => name);
    assert.deepEqual(installed.filter((name) => !name.startsWith(".")), ["@shigur"], "no dependency");
    await Deno.writeTextFile(`${folder}/typed.ts`, TYPED);
    await run(Deno.execPath(), ["check", "--node-modules-dir=manual", "typed.ts"], folder);
    for (const file of ["first_message.mjs", "receive_webhooks.mjs"]) {
      await Deno.copyFile(`${examples}${file}`, `${folder}/${file}`);
    }

    const owner = await edge.addPerson({ messageQuota: 5 });
    const { secret: key } = await edge.addKey(owner);
    const port = await freePort();
    const { secret } = await addWebhook(owner, { url: `http://127.0.0.1:${port}/` });
    receiver = new Deno.Command("node", {
      args: ["receive_webhooks.mjs"],
      cwd: folder,
      env: { SHIGUR_SECRET: secret, PORT: String(port) },
      stdout: "piped",
    }).spawn();
    const lines = receiver.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let said = "";
    const hear = async (text: string) => {
      while (!said.includes(text)) {
        const { value, done } = await lines.next();
        assert.ok(!done, said);
        said += value;
      }
    };
    await hear("listening");
    const env = { SHIGUR_URL: listener.url.replace(/\/$/, ""), SHIGUR_KEY: key };
    for (let no = 0; no < 2; no++) {
      assert.match(
        await run("node", ["first_message.mjs"], folder, env),
        /processing\n\+972501234567 queued/,
      );
    }
    const { rows } = await edge.ctx.db.execute("SELECT status, queued_count FROM campaigns");
    assert.deepEqual(rows.map((row) => ({ ...row })), [{ status: "processing", queued_count: 1 }]);
    await sendDueWebhooks(edge.ctx);
    await hear("campaign.queued");
    // The same call again: the program knows its event.
    await edge.ctx.db.execute("UPDATE webhook_calls SET state = 'waiting', next_at = 0, first_at = NULL");
    await sendDueWebhooks(edge.ctx);
    assert.equal(said.match(/campaign\.queued/g)?.length, 1);
  } finally {
    receiver?.kill("SIGKILL");
    await receiver?.status;
    await receiver?.stdout.cancel().catch(() => {});
    await listener.stop(1_000);
    await Deno.remove(folder, { recursive: true });
  }
});

async function freePort(): Promise<number> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return await Promise.resolve(port);
}
