/** Acts of an administrator, through the administrators' calls. */
import type { Settings } from "shared/settings.ts";
import { Caller } from "./caller.ts";
import type { Product } from "./product.ts";

/** Creates a site and writes its join token to the agent's file. */
export async function addSite(product: Product, name: string): Promise<void> {
  const joinToken = await makeSite(await logInAsAdmin(product), name);
  await Deno.writeTextFile(`${product.dataDir}/site_join_token`, joinToken, { mode: 0o600 });
}

/** `revoke` ends a site's key permanently and settles its deliveries; `start` lets a stopped site lease again. */
export async function actOnSite(product: Product, site: number, act: "revoke" | "start"): Promise<void> {
  const response = await (await logInAsAdmin(product)).call("POST", `/api/admin/sites/${site}/${act}`);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Cannot ${act} site ${site}: ${response.status}`);
}

/** Creates a site and returns its join token. */
export async function makeSite(admin: Caller, name: string): Promise<string> {
  const json = { name, proof: admin.proof };
  return (await admin.read<{ joinToken: string }>("POST", "/api/admin/sites", { json })).joinToken;
}

/** Saves the settings with these changes; sites receive them immediately. */
export async function changeSettings(admin: Caller, changes: Partial<Settings>): Promise<void> {
  const { settings } = await admin.read<{ settings: Settings }>("GET", "/api/admin/settings");
  await admin.read("PUT", "/api/admin/settings", { json: { ...settings, ...changes, proof: admin.proof } });
}

/** Logs in as the administrator of a first start. */
export async function logInAsAdmin(product: Product): Promise<Caller> {
  return await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
}
