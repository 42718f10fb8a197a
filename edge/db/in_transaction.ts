import type { Client, Transaction } from "@libsql/client/web";

/**
 * Runs `act` in one write transaction: commits everything, or nothing when `act` throws. A remote database needs
 * several round trips, so use it for rare acts only.
 */
export async function inTransaction<T>(db: Client, act: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = await db.transaction("write");
  try {
    const result = await act(tx);
    await tx.commit();
    return result;
  } finally {
    tx.close();
  }
}
