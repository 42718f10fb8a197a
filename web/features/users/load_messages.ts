import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";
import { LOAD } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { usersQuery } from "./get_users.ts";

export interface Load {
  /** The client on the screen; the new balance is computed from this balance. */
  client: User;
  count: number;
  /** Identifies the request, so that a repeat after a lost response is not counted twice. */
  requestId: string;
}

/**
 * Adds to a client's quota: computes the new balance, which the server sets only if the present balance is still
 * the one on the screen. Calls `onLoaded` after success. After a changed balance it fetches the balance and calls
 * `onMoved`.
 */
export function useLoadMessages({ onLoaded, onMoved }: { onLoaded: () => void; onMoved: () => void }) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ client, count, requestId }: Load) =>
      apiJson<User>("PATCH", `/api/users/${client.id}/quota`, {
        body: { messageQuota: client.messageQuota + count, expectedQuota: client.messageQuota, requestId },
      }),
    onSuccess: async ({ messageQuota }) => {
      onLoaded();
      showToast({ title: LOAD.doneTitle, description: LOAD.done(messageQuota), tone: "ok" });
      await readAgain(cache);
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.code === "quota_changed") {
        await readAgain(cache);
        onMoved();
      } else showFailure(LOAD.failedTitle, error, LOAD.failed);
    },
  });
}

/** Returns a unique id; `crypto.randomUUID` exists only on secure pages. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

async function readAgain(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ queryKey: usersQuery.queryKey });
}
