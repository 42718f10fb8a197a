import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";
import { LOAD } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { usersQuery } from "./get_users.ts";

export interface Load {
  /** The client as the screen shows it: its balance is what the new one is counted from. */
  client: User;
  count: number;
  /** Names the act, so that a lost answer is not loaded twice. */
  requestId: string;
}

/**
 * Adds to a client's quota: the new balance is counted here and set only if the present one is still what was
 * counted from. `onLoaded` follows a success; a balance that moved is asked for again and `onMoved` called.
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

/** A name no other act has; `crypto.randomUUID` exists on secure pages only. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

async function readAgain(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ queryKey: usersQuery.queryKey });
}
