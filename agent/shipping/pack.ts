/**
 * `deno task agent:pack` packs everything that a site's machine needs into one archive for this machine's processor. It
 * holds the runtime in use, the bundled agent, the service, the install script and the licences. The edge serves the
 * folder to new sites.
 */
import { packageName } from "shared/install_line.ts";
import { AGENT_VERSION } from "../version.ts";
import { bundleAgent } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

const FILES = new URL("files/", import.meta.url).pathname;
const root = new URL("../../", import.meta.url).pathname;
const UNIT = "shigur-agent.service";
/** Name of the only folder in the archive. */
const TOP = "shigur-agent";
const EXECUTABLE = 0o755;

/** Packs into `outDir` and returns the archive's path. @throws {Error} when it cannot be made */
export async function packAgent(outDir: string): Promise<string> {
  if (Deno.build.os !== "linux") throw new Error("Cannot pack: the archive is for Linux, so pack on Linux");
  const work = await Deno.makeTempDir({ prefix: "shigur-pack-" });
  try {
    const top = `${work}/${TOP}`;
    await Deno.mkdir(`${top}/bin`, { recursive: true });
    const packages = await bundleAgent(`${top}/agent.js`);
    await Deno.writeTextFile(`${top}/LICENCES.txt`, await licencesOf(packages));
    await Deno.writeTextFile(`${top}/VERSION`, `${AGENT_VERSION} (deno ${Deno.version.deno})\n`);
    await copy(await Deno.realPath(Deno.execPath()), `${top}/bin/deno`, EXECUTABLE);
    await copy(`${FILES}shigur-agent`, `${top}/bin/shigur-agent`, EXECUTABLE);
    await copy(`${FILES}install.sh`, `${top}/install.sh`, EXECUTABLE);
    await copy(`${root}deploy/systemd/${UNIT}`, `${top}/${UNIT}`, 0o644);
    for (const name of ["60-shigur-agent.rules", "README.txt"]) {
      await copy(`${FILES}${name}`, `${top}/${name}`, 0o644);
    }
    await Deno.mkdir(outDir, { recursive: true });
    await copy(`${FILES}install.sh`, `${outDir}/install.sh`, EXECUTABLE);
    const archive = `${outDir}/${packageName(Deno.build.arch)}`;
    await tar(work, archive);
    return archive;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function copy(from: string, to: string, mode: number): Promise<void> {
  await Deno.copyFile(from, to);
  await Deno.chmod(to, mode);
}

/** The archive gets its name when it is complete, so that no reader sees half of it. */
async function tar(folder: string, archive: string): Promise<void> {
  const options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
  const { success, stderr } = await new Deno.Command("tar", {
    args: ["-C", folder, ...options, "-czf", `${archive}.part`, TOP],
  }).output();
  if (!success) throw new Error(`Cannot pack: ${new TextDecoder().decode(stderr).trim()}`);
  await Deno.rename(`${archive}.part`, archive);
}

if (import.meta.main) {
  const archive = await packAgent(`${root}agent/dist`);
  const { size } = await Deno.stat(archive);
  Deno.stdout.writeSync(new TextEncoder().encode(
    `${archive} (${
      Math.round(size / 1e6)
    } MB). An edge with AGENT_PACKAGE_DIR at its folder serves it to new sites.\n`,
  ));
}
