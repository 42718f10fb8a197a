/** The samples of /developers, copied from the page as a reader would, send one message each against a real edge. */
import assert from "node:assert/strict";
import { LANGUAGE_NAMES, SAMPLE_LANGUAGES, type SampleLanguage, SAMPLES } from "../web/developers/samples.ts";
import { openTestApp } from "../edge/testing/test_app.ts";
import { serve } from "../edge/http/serve.ts";

/** How each language is run; a machine without it skips that language. */
const PROGRAMS: Record<SampleLanguage, { command: string; args: string[]; file: string }> = {
  curl: { command: "sh", args: ["-e"], file: "first.sh" },
  typescript: { command: Deno.execPath(), args: ["run", "--check", "-A"], file: "first.ts" },
  python: { command: "python3", args: [], file: "first.py" },
  php: {
    command: Deno.env.get("PHP") ?? "php",
    args: (Deno.env.get("PHP_ARGS") ?? "").split(" ").filter(Boolean),
    file: "first.php",
  },
};

for (const language of SAMPLE_LANGUAGES) {
  const { command, args, file } = PROGRAMS[language];
  Deno.test({
    name: `the sample in ${LANGUAGE_NAMES[language]} sends one message, also when it runs twice`,
    ignore: !await canRun(language),
    async fn() {
      await using edge = await openTestApp();
      const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
      const folder = await Deno.makeTempDir();
      try {
        const owner = await edge.addPerson({ messageQuota: 5 });
        const scopes = ["campaigns:read", "campaigns:write", "campaigns:send", "contacts"] as const;
        const { secret } = await edge.addKey(owner, { scopes: [...scopes] });
        // The shell's first step says where and as whom; the others read that from the environment.
        const parts = language === "curl" ? SAMPLES.curl.slice(1) : SAMPLES[language];
        await Deno.writeTextFile(`${folder}/${file}`, parts.join("\n\n"));
        for (let run = 0; run < 2; run++) {
          const { code, stdout, stderr } = await new Deno.Command(command, {
            args: [...args, `${folder}/${file}`],
            env: { SHIGUR_URL: listener.url.replace(/\/$/, ""), SHIGUR_KEY: secret, NO_COLOR: "1" },
            cwd: folder,
          }).output();
          const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
          assert.equal(code, 0, `${out}\n${err}`);
          assert.match(out!, /processing/);
        }
        const { rows } = await edge.ctx.db.execute("SELECT status, queued_count FROM campaigns");
        assert.deepEqual(rows.map((row) => ({ ...row })), [{ status: "processing", queued_count: 1 }]);
      } finally {
        await listener.stop(1_000);
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

async function canRun(language: SampleLanguage): Promise<boolean> {
  const { command, args } = PROGRAMS[language];
  const probe = language === "curl"
    ? ["curl", "--version"]
    : language === "python"
    ? ["python3", "-c", "import requests"]
    : language === "php"
    ? [command, ...args, "-r", 'exit(function_exists("curl_init") ? 0 : 1);']
    : [command, "--version"];
  try {
    const [program, ...rest] = probe;
    return (await new Deno.Command(program!, { args: rest, stdout: "null", stderr: "null" }).output())
      .success;
  } catch {
    return false;
  }
}
