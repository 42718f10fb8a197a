/** Installs Debian's redis-server and PostgreSQL if they are missing; never uses their services. */
import { output } from "./scratch.ts";

const POSTGRES = "/usr/lib/postgresql";
const PACKAGES = ["redis-server", "postgresql"];

/**
 * Returns the folder of the newest PostgreSQL's programs.
 *
 * @throws {Error} when a package cannot be installed
 */
export async function ensureServers(): Promise<{ postgresBin: string }> {
  const isThere = await exists("/usr/bin/redis-server") && await newestPostgres() !== null;
  if (!isThere) await install();
  const postgresBin = await newestPostgres();
  if (postgresBin === null) throw new Error(`There is no PostgreSQL in ${POSTGRES}`);
  return { postgresBin };
}

async function install(): Promise<void> {
  if (Deno.uid() !== 0) {
    throw new Error(`Install them first, as root: apt-get install ${PACKAGES.join(" ")}`);
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await output("apt-get", { args: ["update", "-qq"], env });
  await output("apt-get", { args: ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES], env });
  // Stop the services that the installation started.
  for (const service of PACKAGES) await new Deno.Command("service", { args: [service, "stop"] }).output();
}

async function newestPostgres(): Promise<string | null> {
  if (!await exists(POSTGRES)) return null;
  const versions = (await Array.fromAsync(Deno.readDir(POSTGRES))).map(({ name }) => Number(name));
  const bin = `${POSTGRES}/${Math.max(...versions)}/bin`;
  return await exists(`${bin}/postgres`) ? bin : null;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
