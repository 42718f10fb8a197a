/** Runs argon2id outside the main thread: one hash blocks its thread for about 80 ms. */
import { computePassword, type PasswordTask } from "./password_task.ts";

const port = globalThis as unknown as {
  onmessage: (event: MessageEvent<{ id: number; task: PasswordTask }>) => void;
  postMessage(message: unknown): void;
};

port.onmessage = async ({ data: { id, task } }) => {
  try {
    port.postMessage({ id, result: await computePassword(task) });
  } catch (error) {
    port.postMessage({ id, error: String(error) });
  }
};
