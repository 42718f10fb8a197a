/** What an administrator does about sites, through the door of administrators. */
import { Caller, type Product } from "../product.ts";

/** Makes a site and leaves its join token where the agent looks for one. */
export async function addSite(product: Product, name: string): Promise<void> {
  const admin = await logInAsAdmin(product);
  const { joinToken } = await admin.read<{ joinToken: string }>("POST", "/api/admin/sites", {
    json: { name, proof: admin.proof },
  });
  await Deno.writeTextFile(`${product.dataDir}/site_join_token`, joinToken, { mode: 0o600 });
}

/** `revoke` takes a site's key for good and settles what it held; `start` leases again to one that was stopped. */
export async function tellSite(product: Product, site: number, act: "revoke" | "start"): Promise<void> {
  const response = await (await logInAsAdmin(product)).call("POST", `/api/admin/sites/${site}/${act}`);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Cannot ${act} site ${site}: ${response.status}`);
}

export async function logInAsAdmin(product: Product): Promise<Caller> {
  return await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
}
