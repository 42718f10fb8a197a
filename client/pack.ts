/**
 * `deno task client:pack`: writes `client/dist/shigur-client.tgz`, which npm installs: JavaScript, types, and no
 * dependency.
 */
const folder = new URL("./", import.meta.url).pathname;

/** Writes the package and returns its path. */
export async function packClient(output = `${folder}dist/shigur-client.tgz`): Promise<string> {
  await Deno.mkdir(output.slice(0, output.lastIndexOf("/")), { recursive: true });
  // A folder of its own: the repository's settings are not the package's.
  const own = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${own}/src`);
    for (const file of ["api.ts", "client.ts", "webhooks.ts", "mod.ts"]) {
      await Deno.copyFile(`${folder}src/${file}`, `${own}/src/${file}`);
    }
    await Deno.copyFile(`${folder}README.md`, `${own}/README.md`);
    await Deno.copyFile(`${folder}pack.json`, `${own}/deno.json`);
    const { success, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["pack", "--allow-dirty", "--no-source-maps", "-o", output],
      cwd: own,
      stdout: "piped",
      stderr: "piped",
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
    return output;
  } finally {
    await Deno.remove(own, { recursive: true });
  }
}

if (import.meta.main) {
  const path = await packClient();
  await Deno.stdout.write(new TextEncoder().encode(`${path}\n`));
}
