/** Shared steps of the parts that run the whole product. */
import { Caller, type Login } from "../e2e/caller.ts";
import type { Product } from "../e2e/product.ts";
import { until } from "../e2e/wait.ts";

/**
 * Waits until every phone of the site can receive work.
 *
 * @throws {Error} after one minute
 */
export async function untilOnline(product: Product, phones: number): Promise<void> {
  await until(
    async () => {
      const sql = "SELECT count(*) AS n FROM devices WHERE state = 'online'";
      return await Promise.resolve(product.query<{ n: number }>(sql)[0].n === phones);
    },
    60_000,
    `${phones} phones are online`,
  );
}

/** Returns a new logged-in client with a quota of `messageQuota` messages. */
export async function clientWithQuota(product: Product, messageQuota: number): Promise<Caller> {
  const admin = await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
  const login: Login = { username: "bench", password: "bench-password", role: "client" };
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota } });
  return await Caller.login(product.url, login);
}
